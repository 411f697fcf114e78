package notification

import (
	"errors"

	"github.com/tabletop-db/tabletop/backend/internal/web"
)

// Errors for what does not exist. They are the same for what belongs to another user.
var (
	errNoEvent        = web.NotFound("no event of this user has this id")
	errNoNotification = web.NotFound("you have no notification with this id")
	errNoDevice       = web.NotFound(
		"you have no active device with this deviceId; register it with POST /notification/devices")
	errCursor   = web.Bad("query.cursor", "is not a valid cursor of this list; start again without a cursor")
	errConflict = web.Conflict("conflicting concurrent changes; send the same request again")
)

var errTimezone = errors.New("must be a name from the IANA time zone database, such as Europe/Berlin")
