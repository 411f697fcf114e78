package devicetoken

import (
	"errors"
	"fmt"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/internal/web"
)

var (
	errNoDevice       = web.NotFound("the device is not registered; register it with POST /devicetoken/devices")
	errDeleted        = fmt.Errorf("%w: the device is being deleted concurrently", ddb.ErrBusy)
	errMalformedToken = errors.New("the token is not an Expo push token")
)
