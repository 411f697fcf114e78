package cosmos

import (
	"errors"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/builtin"
)

// patchSteps bounds the work of a patch's condition, which is evaluated while the item is being written.
const patchSteps = 4 << 20

// checkCondition holds an item to a patch's condition: the FROM and WHERE of a query, which has to find it.
func (t *transaction) checkCondition(i *item, condition string) *Error {
	if condition == "" { // which has no space around it: see patch.Parse
		return nil
	}
	if words := strings.Fields(condition); !strings.EqualFold(words[0], "from") {
		return badRequest("The condition of a patch must begin with FROM, such as: from c where c.n = 1")
	}
	q, problem := sql.Parse("SELECT * " + condition)
	if problem != nil {
		return queryError(problem)
	}
	work := budget.New(t.ctx, budget.Limits{Steps: patchSteps, Bytes: 16 << 20, Pool: t.container.state.pool})
	defer work.Close()
	program, problem := sql.Compile(q, sql.Params{Env: builtin.Env{Now: t.container.state.now(), Random: t.container.state.random.Next}, Budget: work})
	if problem != nil {
		return queryError(problem)
	}
	v, problem := t.container.value(i)
	if problem != nil {
		return t.container.state.internal(problem)
	}
	page, problem := program.Run(t.ctx, &resourceSource{resources: []doc.Value{v}}, nil, sql.Options{Budget: work})
	if problem != nil {
		return t.conditionError(problem)
	}
	if len(page.Rows) == 0 {
		return preconditionFailed()
	}
	return nil
}

// conditionError is the answer to a condition that could not be evaluated to its end.
func (t *transaction) conditionError(err error) *Error {
	var wrong *sql.Error
	switch {
	case errors.As(err, &wrong):
		return queryError(err)
	case errors.Is(err, budget.ErrBusy):
		return tooManyRequests(busyFor)
	}
	return t.container.state.internal(err)
}
