package awsapi

import (
	"errors"
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Intake reads the requests of a service, and runs its operations while nothing replaces its state.
type Intake struct {
	Title   string                           // of the service, in messages
	MaxBody int                              // size in bytes of the largest request that is read
	Refuse  func(name, message string) error // returns an error of the service that the caller can correct
	Running *store.Gate                      // closed by whatever replaces the state
	Store   *store.Store                     // with the state
}

// Serve reads a request and calls run with its body. known reports whether the service has the operation. Errors: those
// of run; the service's for a body that cannot be read and for an unknown operation; and those that Answer converts.
func (i *Intake) Serve(r *http.Request, hold *budget.Account, known bool,
	run func(body []byte) ([]byte, error)) ([]byte, error) {
	body, err := ReadBody(r, nil, hold, i.MaxBody)
	switch {
	case errors.Is(err, budget.ErrBusy):
		return nil, err
	case err != nil:
		return nil, i.Refuse("SerializationException", "")
	case !known:
		return nil, i.Refuse("UnknownOperationException", "The emulator does not serve this operation of "+i.Title+".")
	}
	if err := i.Running.Enter(r.Context()); err != nil {
		return nil, err
	}
	defer i.Running.Leave()
	if err := i.Store.Readable(); err != nil { // the state in memory may be gone after a restart
		return nil, err
	}
	return run(body)
}
