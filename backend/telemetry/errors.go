package telemetry

import (
	"errors"

	"github.com/tabletop-db/tabletop/backend/internal/web"
)

var (
	errNoDevice  = web.NotFound("no device has this hardware_id; register it with POST /telemetry/devices")
	errNoReading = web.NotFound("the device has no reading")
	errNoKey     = web.NotFound("no API key has this key_id")
	errBadKey    = web.Unauthorized("the API key is missing, unknown or revoked; send a valid one in X-API-Key")
)

// errReadingCondition is internal: the condition on the reading of a transaction is not met.
var errReadingCondition = errors.New("the condition on the reading is not met")
