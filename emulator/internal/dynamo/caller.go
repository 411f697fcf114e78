package dynamo

import (
	"context"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/capacity"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
	"github.com/tabletop-db/tabletop/emulator/internal/faults"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
)

// request is one request under way: whose tables it sees, and what is noted of it until it is answered. Operations get it
// as their first argument. Its memory is used again for other requests: nothing of it may be kept.
type request struct {
	service *Service
	account *account
	event   telemetry.Event
	charges []capacity.Charge   // memory
	stale   bool                // an eventually consistent read is to see an old state
	who     *identity.Principal // nil where nobody is asked who they are
	asked   accessContext       // what policies are asked about it
	ctx     context.Context     // done when the client has gone
	verdict *faults.Verdict     // nil: the request is spared
	work    budget.Budget       // what the request may still use
	memory  *budget.Account     // what the request and its answer take of the memory of all requests
}

// noteThrottle notes that a table, or an index of it, refused to read or write an item.
func (c *request) noteThrottle(t *table, x *index, write bool, limit telemetry.Limit) {
	refused := telemetry.Throttle{Table: t.def.Name, Write: write, Limit: limit}
	if x != nil {
		refused.Index = x.name
	}
	c.event.Throttles = append(c.event.Throttles, refused)
}

// longWork is a budget without limits, for work that takes turns with other long requests. The caller closes it, and has no
// turn of its own meanwhile.
func (s *Service) longWork(ctx context.Context) *budget.Budget {
	return budget.New(ctx, budget.Limits{Pool: s.pool})
}

// requestLimits are what one request may use; they are choices of ours. A page of a megabyte under a filter of 300 operators
// takes a quarter of the steps, some 0.3 s.
//
// Memory is bounded by the service's own limits of a request: a batch of 16 MB, in memory some times.
func requestLimits(pool *budget.Pool, account *budget.Account) budget.Limits {
	return budget.Limits{Steps: 1 << 27, Pool: pool, Account: account}
}

// pageSteps is after how many steps a page of a Query or a Scan ends, which another request continues.
const pageSteps = 1 << 26

// budget is what the request may still use; nil, without bounds, for what the service does by itself.
func (c *request) budget() *budget.Budget {
	if c == nil {
		return nil
	}
	return &c.work
}

// begin makes c the caller of another request.
func (c *request) begin(a *account, operation string, who scope) {
	c.service, c.account, c.stale = a.service, a, false
	c.event.Operation, c.event.Account, c.event.AccessKey = operation, a.name, who.accessKey
}

// note adds to what the request consumed of a table, or of an index of it.
func (c *request) note(t *table, x *index, write bool, units float64) {
	charge := telemetry.Charge{Table: t.def.Name, Write: write, Units: units}
	if x != nil {
		charge.Index, charge.Local = x.name, x.local
	}
	for i := range c.event.Charges {
		known := &c.event.Charges[i]
		if known.Table == charge.Table && known.Index == charge.Index && known.Write == write {
			known.Units += units
			return
		}
	}
	c.event.Charges = append(c.event.Charges, charge)
}
