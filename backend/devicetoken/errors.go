package devicetoken

import (
	"errors"
	"fmt"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/internal/web"
)

var (
	errNoDevice  = web.NotFound("no such device is registered; register it with POST /devicetoken/devices")
	errDeleted   = fmt.Errorf("%w: the device is deleted as often as it is registered", ddb.ErrBusy)
	errMalformed = errors.New("the token is no Expo push token")
)
