package query

import (
	"errors"
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	sqlplan "github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/plan"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// QueryPlan returns the plan by which a client runs a query over several partitions.
func QueryPlan(c *operation.Call) *wire.Error { return operation.Do(c, readPlan, runPlan) }

type planInput struct {
	spec      *QuerySpec
	supported string // the query features that the client supports
}

func readPlan(r *operation.Request, _ *engine.Container) (planInput, *wire.Error) {
	spec, err := readQuerySpec(r)
	return planInput{spec: spec, supported: r.Header("X-Ms-Cosmos-Supported-Query-Features")}, err
}

func runPlan(r *operation.Run, in planInput) *wire.Error {
	plan, planErr := sqlplan.New(in.spec.planRequest(r.Container))
	if planErr = in.spec.preferredError(r, planErr); planErr == nil {
		planErr = plan.Unsupported(in.supported)
	}
	if planErr != nil {
		return QueryError(planErr)
	}
	r.Charge = chargeQueryPlan
	r.Out.Status, r.Out.Body = http.StatusOK, plan.Append(nil)
	return nil
}

// preferredError returns the error of a query for which the planner reports problem: an error in the query itself takes
// precedence over a planning error, unless the planning error is about the count of TOP, OFFSET or LIMIT, which only
// the planner checks.
func (q *QuerySpec) preferredError(r *operation.Run, planErr error) error {
	var count *sqlplan.Error
	if errors.As(planErr, &count) && count.IsCount() {
		return planErr
	}
	if wrong := q.check(r); wrong != nil {
		return wrong
	}
	return planErr
}

// check returns an error in a query that parses, such as an unknown name. It ignores ORDER BY with GROUP BY: the
// gateway plans such queries, although no partition runs them.
func (q *QuerySpec) check(r *operation.Run) error {
	unordered := *q.Query
	if len(unordered.GroupBy) > 0 {
		unordered.OrderBy = nil
	}
	work := budget.New(r.Ctx, r.QueryLimits())
	defer work.Close()
	_, err := sql.Compile(&unordered, sql.Params{Values: q.parameters, Budget: work})
	return err
}

// chargeQueryPlan is the charge of a query plan. The gateway creates plans without contacting a partition, and the
// service bills one request unit.
const chargeQueryPlan = 1
