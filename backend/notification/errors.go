package notification

import (
	"errors"

	"github.com/tabletop-db/tabletop/backend/internal/web"
)

// Errors for what does not exist. They are the same for what belongs to another user.
var (
	errNoEvent        = web.NotFound("no event of this user has this id")
	errNoNotification = web.NotFound("no notification of yours has this id")
	errNoDevice       = web.NotFound("no active device of yours has this deviceId; register it")
	errCursor         = web.Bad("query.cursor", "is not a cursor of this listing; start again without one")
	errCrowded        = web.Conflict("other changes of the same thing got in the way; send the same request again")
)

var errTimezone = errors.New("must be a name of the IANA time zone database, such as Europe/Berlin")
