package emulator

import (
	"net/http"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/inflight"
)

// smallLimits returns the limits of a request to KMS or STS, most of which is spent on evaluating policies. The values
// are our own; so many steps take about 5 s.
func smallLimits(pool *budget.Pool) budget.Limits {
	return budget.Limits{Steps: 1 << 27, Bytes: 64 << 20, Time: 30 * time.Second, Pool: pool}
}

// budgeted gives each request of a service a budget within its limits. DynamoDB and Cosmos DB create their own.
func (e *Emulator) budgeted(h http.Handler, o options, limits func(*budget.Pool) budget.Limits) http.Handler {
	if o.budget != (budget.Limits{}) {
		return inflight.Budgeted(h, o.budget)
	}
	return inflight.Budgeted(h, limits(e.pool))
}
