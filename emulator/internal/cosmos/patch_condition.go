package cosmos

import (
	"context"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/builtin"
)

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
	program, problem := sql.Compile(q, sql.Params{Env: builtin.Env{Now: t.c.service.now(), Random: t.c.service.random.Next}})
	if problem != nil {
		return queryError(problem)
	}
	v, problem := t.c.value(i)
	if problem != nil {
		return t.c.service.internal(problem)
	}
	page, problem := program.Run(context.Background(), &resourceSource{resources: []doc.Value{v}}, nil, sql.Options{})
	if problem != nil {
		return queryError(problem)
	}
	if len(page.Rows) == 0 {
		return preconditionFailed()
	}
	return nil
}
