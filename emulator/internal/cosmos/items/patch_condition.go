package items

import (
	"errors"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/query"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/builtin"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// conditionSteps limits the work of evaluating a patch's condition, which happens during the write, while the partition
// is latched.
const conditionSteps = 4 << 20

// CheckCondition checks an item against a patch's condition: the FROM and WHERE clauses of a query, which must return
// the item.
func CheckCondition(t *engine.Transaction, i *engine.Item, condition string) *wire.Error {
	if condition == "" { // patch.Parse has trimmed it
		return nil
	}
	if words := strings.Fields(condition); !strings.EqualFold(words[0], "from") {
		return wire.BadRequest("The condition of a patch must begin with FROM, such as: from c where c.n = 1")
	}
	q, queryErr := sql.Parse("SELECT * " + condition)
	if queryErr != nil {
		return query.QueryError(queryErr)
	}
	work := budget.New(t.Ctx, budget.Limits{Steps: conditionSteps, Bytes: 16 << 20, Pool: t.Container.State.Pool})
	defer work.Close()
	program, queryErr := sql.Compile(q, sql.Params{Env: builtin.Env{Now: t.Container.State.Now(),
		Random: t.Container.State.Random.Next}, Budget: work})
	if queryErr != nil {
		return query.QueryError(queryErr)
	}
	v, queryErr := t.Container.Value(i)
	if queryErr != nil {
		return t.Container.State.Internal(queryErr)
	}
	page, queryErr := program.Run(t.Ctx, &query.ResourceSource{Resources: []doc.Value{v}}, nil, sql.Options{Budget: work})
	if queryErr != nil {
		return conditionError(t, queryErr)
	}
	if len(page.Rows) == 0 {
		return wire.PreconditionFailed()
	}
	return nil
}

// conditionError converts an error in evaluating a condition to a wire error.
func conditionError(t *engine.Transaction, err error) *wire.Error {
	var wrong *sql.Error
	switch {
	case errors.As(err, &wrong):
		return query.QueryError(err)
	case errors.Is(err, budget.ErrBusy):
		return wire.TooManyRequests(wire.BusyRetryDelay)
	}
	return t.Container.State.Internal(err)
}
