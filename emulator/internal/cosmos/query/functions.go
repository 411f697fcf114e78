package query

import (
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/script"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// userFunctions returns the user-defined functions for a query over the container. Their work counts against work. The
// caller closes them.
func userFunctions(r *operation.Run, work *budget.Budget) *script.Functions {
	return r.Account.Scripts.Functions(budget.With(r.Ctx, work), func(name string) (string, bool) {
		function, err := r.FindChild(r.Container.Scripts(wire.KindUDF), name)
		if err != nil || function == nil {
			return "", false
		}
		return function.Body.Field("body").Str(), true
	})
}

// callFunction calls a user-defined function for a query. Its errors are wire errors.
func (q *DocumentQuery) callFunction(name string, args []doc.Value) (doc.Value, error) {
	if q.functions == nil {
		q.functions = userFunctions(q.Run, q.work)
	}
	v, err := q.functions.Call(name, args)
	switch {
	case errors.Is(err, script.ErrNoFunction):
		return v, wire.BadRequest("Message: %s", wire.ErrorsText("The user-defined function "+name+
			" does not exist in the container."))
	case err != nil:
		return v, q.ScriptError(err)
	}
	return v, nil
}

// Close releases the resources of the query.
func (q *DocumentQuery) Close() {
	q.work.Close()
	if q.functions != nil {
		q.functions.Close()
	}
}
