package operation

import (
	"context"
	"errors"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Run is an operation while it runs: what it works on, and what it answers. It knows nothing of the request.
type Run struct {
	Ctx       context.Context
	Account   *Account
	Operation string
	Began     time.Time // on the machine's clock
	Buffers   *Buffers
	Work      *budget.Budget  // of a page of a feed, by which long requests take turns; nil: it makes none
	Memory    *budget.Account // what the request and its answer take of the memory of all requests

	Database  *engine.Database
	Container *engine.Container
	User      *engine.ChildResource // whose permissions the path is about

	Stale    bool                // a fault rule wants what the replica shows that trails most
	Replica  lag.Replica         // that answers a read
	Moment   lag.Moment          // that it shows, once it is looked at
	pinnedAs lag.Replica         // whose moment it is
	Doubled  bool                // a read that meets several replicas costs twice
	spends   []*engine.Partition // whose throughput pays for the request
	Charge   float64             // in request units
	Out      wire.Response
}

// QueryLimits are what a page of a query of the request may use: memory as one with the request's own.
func (r *Run) QueryLimits() budget.Limits {
	limits := sql.Limits(r.Account.Pool)
	limits.Account = r.Memory
	return limits
}

// Internal is the answer to an error that is not the service's own: a fault of ours, which is logged.
func (r *Run) Internal(err error) *wire.Error {
	if err == nil {
		return nil
	}
	var own *wire.Error
	if errors.As(err, &own) {
		return own
	}
	if r.Ctx.Err() != nil { // nobody waits for the answer any more
		return wire.Unavailable()
	}
	if text, ok := store.Unavailable(err); ok { // which is logged where it happens
		return wire.StorageUnavailable(text)
	}
	r.Account.Log.Error("an operation failed for a reason of the emulator's own", "operation", r.Operation, "error", err)
	return wire.InternalError()
}

// FindChild is get in a state of the store of its own.
func (r *Run) FindChild(s *engine.ChildSet, id string) (one *engine.ChildResource, err *wire.Error) {
	problem := r.Account.Store.View(func(r *store.Reader) (err error) {
		one, err = s.Get(r, id)
		return err
	})
	return one, r.Account.Internal(problem)
}
