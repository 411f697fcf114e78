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

// QueryPlan answers what a client has to do to run a query over several partitions.
func QueryPlan(c *operation.Call) *wire.Error { return operation.Do(c, readPlan, runPlan) }

type planInput struct {
	spec      *QuerySpec
	supported string // what of queries the client can do itself
}

func readPlan(r *operation.Request, _ *engine.Container) (planInput, *wire.Error) {
	spec, err := readQuerySpec(r)
	return planInput{spec: spec, supported: r.Header("X-Ms-Cosmos-Supported-Query-Features")}, err
}

func runPlan(r *operation.Run, in planInput) *wire.Error {
	plan, problem := sqlplan.New(in.spec.planned(r.Container))
	if problem = in.spec.refusal(r, problem); problem == nil {
		problem = plan.Unsupported(in.supported)
	}
	if problem != nil {
		return QueryError(problem)
	}
	r.Charge = chargeQueryPlan
	r.Out.Status, r.Out.Body = http.StatusOK, plan.Append(nil)
	return nil
}

// refusal is why a query is refused, of which the planner says problem: what is wrong with the query itself, before
// what cannot be planned. Counts are the planner's own business.
func (q *QuerySpec) refusal(r *operation.Run, problem error) error {
	var count *sqlplan.Error
	if errors.As(problem, &count) && count.IsCount() {
		return problem
	}
	if wrong := q.check(r); wrong != nil {
		return wrong
	}
	return problem
}

// check finds what is wrong with a query that parses, such as names that do not exist. The order of groups is left to
// whoever runs it: the gateway plans one that no partition takes.
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

// chargeQueryPlan is what a plan costs: the gateway makes it without asking a partition, and the service bills one
// unit.
const chargeQueryPlan = 1
