package verification

import (
	"errors"

	"github.com/tabletop-db/tabletop/backend/internal/web"
)

var (
	// errNoCase is the same for a case that does not exist and for another client's (VR-R6).
	errNoCase      = web.NotFound("the case does not exist")
	errNoDocument  = web.NotFound("the document does not exist")
	errNoKey       = web.NotFound("the API key does not exist")
	errSessionOver = web.NotFound("the session of this Idempotency-Key has ended; open another one with a new key")
	errCredential  = web.Unauthorized(
		"the API key or session is missing, unknown, revoked or expired; send X-API-Key, or Authorization: Session <token>")

	// errNoCaller refuses an operation without a caller: the bug of a route without a guard, or of a job that does not
	// use asSystem.
	errNoCaller = errors.New("verification: operation rejected: no caller")
)
