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

// Run is a running operation: what it works on, and its response. It knows nothing of the request.
type Run struct {
	Ctx       context.Context
	Account   *Account
	Operation string
	Caller    string    // whose key or token the request has, such as "primary key"
	Began     time.Time // on the machine's clock
	Buffers   *Buffers
	Work      *budget.Budget  // of a page of a feed, in which long requests take turns; nil: the request has none
	Memory    *budget.Account // the memory used by the request and its response, of the memory for all requests

	Database  *engine.Database
	Container *engine.Container
	User      *engine.ChildResource // the parent of the permissions in the path

	Redeliver         bool                // a fault rule makes the next read of a change feed return the same changes
	Stale             bool                // a fault rule asks for the replica that is furthest behind
	Replica           lag.Replica         // that serves the read
	Moment            lag.Moment          // of the replica, once it is pinned
	pinnedReplica     lag.Replica         // the replica of Moment
	QuorumRead        bool                // the read contacts several replicas and costs twice as much
	chargedPartitions []*engine.Partition // whose budgets pay for the request
	Charge            float64             // in request units
	Out               wire.Response
}

// QueryLimits returns the limits for a page of a query. The page shares the memory of the request.
func (r *Run) QueryLimits() budget.Limits {
	limits := sql.Limits(r.Account.Pool)
	limits.Account = r.Memory
	return limits
}

// Internal converts an error to a wire error. An error that is not a wire error is an internal error of the emulator,
// which it logs.
func (r *Run) Internal(err error) *wire.Error {
	if err == nil {
		return nil
	}
	var own *wire.Error
	if errors.As(err, &own) {
		return own
	}
	if r.Ctx.Err() != nil { // the client is gone
		return wire.Unavailable()
	}
	if text, ok := store.Unavailable(err); ok { // logged where it happened
		return wire.StorageUnavailable(text)
	}
	r.Account.Log.Error("an operation failed with an internal error of the emulator", "operation",
		r.Operation, "error", err)
	return wire.InternalError()
}

// FindChild is ChildSet.Get in a snapshot of its own.
func (r *Run) FindChild(s *engine.ChildSet, id string) (child *engine.ChildResource, err *wire.Error) {
	storeErr := r.Account.Store.View(func(r *store.Reader) (err error) {
		child, err = s.Get(r, id)
		return err
	})
	return child, r.Account.Internal(storeErr)
}
