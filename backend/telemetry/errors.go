package telemetry

import "errors"

// badRequest is what the sender can mend: the place in the request, such as body.readings, and what is wrong there.
type badRequest struct {
	status            int
	location, message string
}

func (e *badRequest) Error() string { return e.location + ": " + e.message }

// invalid is a request of the right form with a wrong value.
func invalid(location, message string) error {
	return &badRequest{status: 422, location: location, message: message}
}

var (
	errNoDevice   = errors.New("no device has this hardware_id; register it with POST /telemetry/devices")
	errNoReading  = errors.New("the device has no reading")
	errNoKey      = errors.New("no API key has this key_id")
	errBadKey     = errors.New("the API key is missing, unknown or revoked; send a valid one in X-API-Key")
	errBadAdmin   = errors.New("the admin token is missing or wrong; send Authorization: Bearer <token>")
	errBusy       = errors.New("the database is too busy; send the same request again, it stores nothing twice")
	errNoDatabase = errors.New("the database did not answer; send the same request again, it stores nothing twice")
	errNoTables   = errors.New("the tables are missing; make them with: tabletop tables create")
)
