package devicetoken

import (
	"errors"

	"github.com/tabletop-db/tabletop/backend/internal/web"
)

var (
	errNoDevice  = web.NotFound("no such device is registered; register it with POST /devicetoken/devices")
	errMalformed = errors.New("the token is no Expo push token")
)
