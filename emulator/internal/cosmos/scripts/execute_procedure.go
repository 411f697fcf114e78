package scripts

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/script"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// ExecuteProcedure runs a stored procedure in a transaction on one logical partition.
func ExecuteProcedure(c *operation.Call) *wire.Error {
	return operation.Do(c, readExecution, runProcedure)
}

type execution struct {
	id            string // of the stored procedure
	arguments     []doc.Value
	key           doc.PartitionKey
	enableLogging bool // the response includes the procedure's log
}

func readExecution(r *operation.Request, container *engine.Container) (in execution, err *wire.Error) {
	if in.arguments, err = readArguments(r); err != nil {
		return in, err
	}
	in.id, in.enableLogging = r.Route.Last(), r.Flag("X-Ms-Documentdb-Script-Enable-Logging")
	in.key, err = r.PartitionKey(container.Definition.Load())
	return in, err
}

func runProcedure(r *operation.Run, in execution) *wire.Error {
	procedure, err := r.FindChild(r.Container.Scripts(wire.KindStoredProcedure), in.id)
	if err != nil {
		return err
	}
	if procedure == nil {
		return wire.NotFound(in.id)
	}
	items := r.Container.ItemIndex()
	var result script.Result
	t, err := r.TransactOptimistic(in.key, func(t *engine.Transaction) *wire.Error {
		var err error
		result, err = r.Account.Scripts.Procedure(r.Ctx, script.Procedure{Name: procedure.ID + ".js",
			Source: procedure.Body.Field("body").Str(),
			Args:   in.arguments, Logs: in.enableLogging}, &partitionItems{r: r, t: t, index: items})
		if err != nil {
			return r.ScriptError(err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if result.Log != "" {
		r.Out.Set(operation.HeaderLog, result.Log)
	}
	if !result.Body.Defined() {
		result.Body = doc.String("") // as a live account does for a procedure that sets no body
	}
	r.SetPartitionHeaders(t.EPK, max(t.LSN, r.Container.Sequence.Floor()))
	r.Reply(http.StatusOK, result.Body)
	r.Out.ETag = ""
	return nil
}

// readArguments returns the arguments of a stored procedure. The body is an array of them, an array-like object, or
// empty.
func readArguments(r *operation.Request) ([]doc.Value, *wire.Error) {
	if len(r.Body) == 0 {
		return nil, nil
	}
	v, err := r.JSON()
	if err != nil {
		return nil, err
	}
	switch v.Kind() {
	case doc.Null, doc.List:
		return v.Elements(), nil
	case doc.Map:
		return arrayLike(v)
	}
	return nil, wire.InvalidInput("The arguments of a stored procedure must be a JSON array.")
}

// maxArguments is the maximum number of arguments of an array-like object, whose length may be large although its body
// is short. The service runs out of stack before 600,000.
const maxArguments = 100_000

// arrayLike returns the elements of an array-like object, such as {"0":"a","length":1}: the service passes the body to
// JavaScript's apply as it is (StoredProcedureTests of the .NET SDK).
func arrayLike(v doc.Value) ([]doc.Value, *wire.Error) {
	length := v.Field("length")
	n := length.Float()
	if length.Kind() == doc.Text {
		n, _ = strconv.ParseFloat(strings.TrimSpace(length.Str()), 64)
	}
	if !(n >= 1) {
		return nil, nil
	}
	if n > maxArguments {
		return nil, wire.InvalidInput("A stored procedure has at most %d arguments.", maxArguments)
	}
	args := make([]doc.Value, int(n))
	for _, m := range v.Members() {
		if i, err := strconv.Atoi(m.Name); err == nil && i >= 0 && i < len(args) && strconv.Itoa(i) == m.Name {
			args[i] = m.Value
		}
	}
	return args, nil
}
