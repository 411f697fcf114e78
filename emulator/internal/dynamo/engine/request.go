package engine

import (
	"context"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/capacity"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
	"github.com/tabletop-db/tabletop/emulator/internal/faults"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
)

// Request is one request in progress: the account whose tables it sees, and what is recorded about it until it is
// answered. It is the first argument of every operation. Its memory is reused for other requests: retain nothing of it.
type Request struct {
	Engine    *Engine
	Account   *Account
	Event     telemetry.Event
	charges   []capacity.Charge   // reused memory
	Stale     bool                // eventually consistent reads see the oldest state
	Principal *identity.Principal // nil: no identities are configured
	Context   context.Context     // done when the client disconnects
	Verdict   *faults.Effect      // nil: no fault applies to the request
	Work      budget.Budget       // what the request may still use
	// Afterwards, if an operation sets it, runs after the operation, when Engine.Running is left: it may use services that
	// use DynamoDB. Its error replaces the response.
	Afterwards func() error
	Memory     *budget.Account // the share of the shared memory pool that the request and its response take
	// Progress takes the number of items that a clone of a table has copied.
	Progress func(items int64)
}

// NewUnlimitedBudget returns a budget without limits, for work that takes turns with other long requests. The caller
// closes it, and must not hold a turn of its own until then.
func (s *Engine) NewUnlimitedBudget(ctx context.Context) *budget.Budget {
	return budget.New(ctx, budget.Limits{Pool: s.Pool})
}

// RequestLimits returns what one request may use; the values are our choice. A page of 1 MB under a filter of 300
// operators takes a quarter of the steps, about 0.3 s.
//
// Memory is bounded by the service's own limits on a request: a batch of 16 MB, which is in memory a few times.
func RequestLimits(pool *budget.Pool, account *budget.Account) budget.Limits {
	return budget.Limits{Steps: 1 << 27, Pool: pool, Account: account}
}

// PageSteps is the number of steps after which a page of a Query or a Scan ends; the next request continues it.
const PageSteps = 1 << 26

// Budget returns what the request may still use; nil, which has no limits, for writes of the service itself.
func (r *Request) Budget() *budget.Budget {
	if r == nil {
		return nil
	}
	return &r.Work
}

// Begin reuses c for another request.
func (r *Request) Begin(a *Account, operation, accessKey string) {
	r.Engine, r.Account, r.Stale = a.Engine, a, false
	r.Event.Operation, r.Event.Account, r.Event.AccessKey = operation, a.Name, accessKey
}

// addCharge adds units to what the request consumed of a table, or of an index of it.
func (r *Request) addCharge(t *Table, x *Index, write bool, units float64) {
	charge := telemetry.Charge{Table: t.Def.Name, Write: write, Units: units}
	if x != nil {
		charge.Index, charge.Local = x.Name, x.Local
	}
	for i := range r.Event.Charges {
		existing := &r.Event.Charges[i]
		if existing.Table == charge.Table && existing.Index == charge.Index && existing.Write == write {
			existing.Units += units
			return
		}
	}
	r.Event.Charges = append(r.Event.Charges, charge)
}

// PauseInside waits as the fault rules require while the request's items are in use. It waits once, even if the request
// is retried.
func (r *Request) PauseInside() {
	if r == nil || r.Verdict == nil {
		return
	}
	inside := r.Verdict.Holding
	r.Verdict.Holding = nil
	r.Pause(inside)
}

// Pause waits as a fault rule requires. Other long requests can run in the meantime.
func (r *Request) Pause(pauses faults.Delays) {
	if len(pauses) > 0 {
		r.Work.EndTurn()
		r.Engine.Faults.Wait(r.Context, pauses)
	}
}

// Unprocessed reports which members of a batch, in the order of its resource references, fault rules leave unprocessed;
// nil for none.
func (r *Request) Unprocessed() []bool {
	if r.Verdict == nil {
		return nil
	}
	return r.Verdict.Unprocessed
}

// DropsResponse reports whether a fault rule drops the response.
func (r *Request) DropsResponse() bool { return r.Verdict != nil && r.Verdict.LoseResponse }

// HasShortPage reports whether a fault rule ends the page after one item.
func (r *Request) HasShortPage() bool { return r.Verdict != nil && r.Verdict.ShortPage }

// IsRedelivered reports whether a fault rule makes the next read return the same records again.
func (r *Request) IsRedelivered() bool { return r.Verdict != nil && r.Verdict.Redeliver }
