package verification

import (
	"errors"

	"github.com/tabletop-db/tabletop/backend/internal/web"
)

var (
	// errNoCase is said of a case that is not there and of one that is another client's, in the same words (VR-R6).
	errNoCase      = web.NotFound("there is no such case")
	errNoDocument  = web.NotFound("there is no such document")
	errNoKey       = web.NotFound("there is no such API key")
	errSessionOver = web.NotFound("the session that this Idempotency-Key opened is over; open another one with another key")
	errCredential  = web.Unauthorized("the API key or session is missing, unknown, revoked or over; send X-API-Key, or Authorization: Session <token>")

	// errNoCaller refuses an operation that nobody has asked for: the mistake of a route without a guard, or of a job
	// that does not say that it is one.
	errNoCaller = errors.New("verification: an operation without a caller was refused")
)
