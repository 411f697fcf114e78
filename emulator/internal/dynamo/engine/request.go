package engine

import (
	"context"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/capacity"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
	"github.com/tabletop-db/tabletop/emulator/internal/faults"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
)

// Request is one request under way: whose tables it sees, and what is noted of it until it is answered. Operations get
// it as their first argument. Its memory is used again for other requests: nothing of it may be kept.
type Request struct {
	Engine    *Engine
	Account   *Account
	Event     telemetry.Event
	charges   []capacity.Charge   // memory
	Stale     bool                // an eventually consistent read is to see an old state
	Principal *identity.Principal // nil where nobody is asked who they are
	Context   context.Context     // done when the client has gone
	Verdict   *faults.Verdict     // nil: the request is spared
	Work      budget.Budget       // what the request may still use
	Memory    *budget.Account     // what the request and its answer take of the memory of all requests
}

// noteThrottle notes that a table, or an index of it, refused to read or write an item.
func (c *Request) noteThrottle(t *Table, x *Index, write bool, limit telemetry.Limit) {
	refused := telemetry.Throttle{Table: t.Def.Name, Write: write, Limit: limit}
	if x != nil {
		refused.Index = x.Name
	}
	c.Event.Throttles = append(c.Event.Throttles, refused)
}

// LongWork is a budget without limits, for work that takes turns with other long requests. The caller closes it, and
// has no turn of its own meanwhile.
func (s *Engine) LongWork(ctx context.Context) *budget.Budget {
	return budget.New(ctx, budget.Limits{Pool: s.Pool})
}

// RequestLimits are what one request may use; they are choices of ours. A page of a megabyte under a filter of 300
// operators takes a quarter of the steps, some 0.3 s.
//
// Memory is bounded by the service's own limits of a request: a batch of 16 MB, in memory some times.
func RequestLimits(pool *budget.Pool, account *budget.Account) budget.Limits {
	return budget.Limits{Steps: 1 << 27, Pool: pool, Account: account}
}

// PageSteps is after how many steps a page of a Query or a Scan ends, which another request continues.
const PageSteps = 1 << 26

// Budget is what the request may still use; nil, without bounds, for what the service does by itself.
func (c *Request) Budget() *budget.Budget {
	if c == nil {
		return nil
	}
	return &c.Work
}

// Begin makes c the caller of another request.
func (c *Request) Begin(a *Account, operation, accessKey string) {
	c.Engine, c.Account, c.Stale = a.Engine, a, false
	c.Event.Operation, c.Event.Account, c.Event.AccessKey = operation, a.Name, accessKey
}

// note adds to what the request consumed of a table, or of an index of it.
func (c *Request) note(t *Table, x *Index, write bool, units float64) {
	charge := telemetry.Charge{Table: t.Def.Name, Write: write, Units: units}
	if x != nil {
		charge.Index, charge.Local = x.Name, x.Local
	}
	for i := range c.Event.Charges {
		known := &c.Event.Charges[i]
		if known.Table == charge.Table && known.Index == charge.Index && known.Write == write {
			known.Units += units
			return
		}
	}
	c.Event.Charges = append(c.Event.Charges, charge)
}
