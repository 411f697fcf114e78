package verification

import (
	"errors"

	"github.com/tabletop-db/tabletop/backend/internal/web"
)

var (
	// errNoCase is the same for a case that does not exist and for another client's (VR-R6).
	errNoCase      = web.NotFound("there is no such case")
	errNoDocument  = web.NotFound("there is no such document")
	errNoKey       = web.NotFound("there is no such API key")
	errSessionOver = web.NotFound("the session that this Idempotency-Key opened is over; open another one with another key")
	errCredential  = web.Unauthorized("the API key or session is missing, unknown, revoked or over; send X-API-Key, or Authorization: Session <token>")

	// errNoCaller refuses an operation without a caller: the bug of a route without a guard, or of a job that does not
	// use bySystem.
	errNoCaller = errors.New("verification: an operation without a caller was refused")
)
