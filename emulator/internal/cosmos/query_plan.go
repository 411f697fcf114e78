package cosmos

import "net/http"

// queryPlan answers what a client has to do to run a query over several partitions.
func (c *call) queryPlan() *Error {
	spec, err := c.querySpec()
	if err != nil {
		return err
	}
	plan, problem := spec.plan(c.container)
	if problem == nil {
		problem = plan.Unsupported(c.head("X-Ms-Cosmos-Supported-Query-Features"))
	}
	if problem != nil {
		return queryError(problem)
	}
	c.charge = chargeQueryPlan
	c.out.status, c.out.body = http.StatusOK, plan.Append(nil)
	return nil
}

// chargeQueryPlan is what a plan costs: the gateway makes it without asking a partition, and the service bills one unit.
const chargeQueryPlan = 1
