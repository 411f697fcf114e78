package data

import (
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// StatementWrite is the write of a PartiQL statement, or its check in a transaction. It affects one item.
type StatementWrite struct {
	Kind       string     // Put, Update, Delete or ConditionCheck, as in TransactWriteItems
	TableName  string     // as in the request
	Target     item.Value // the item of a Put, which must not exist; otherwise the key
	Condition  *expr.Condition
	Update     *expr.Update
	ReturnItem bool // a failed condition returns the item

	// Text and Parameters identify the statement in a transaction with a token.
	Text       string
	Parameters []item.Value
}

// Check returns an error if the target or the update does not fit the table.
func (w *StatementWrite) Check(t *engine.Table) error {
	a := w.action()
	return a.checkKey(t)
}

// Change returns the change of a write that fits the table.
func (w *StatementWrite) Change(req *engine.Request, t *engine.Table) *engine.Change {
	a := w.action()
	c := a.change(req, t)
	c.Transactional = false
	return c
}

func (w *StatementWrite) action() transactAction {
	a := transactAction{kind: w.Kind, statement: true, condition: w.Condition, update: w.Update}
	a.TableName = wire.NamedTable(w.TableName)
	a.Item.Value, a.Key.Value = w.Target, w.Target
	if w.ReturnItem {
		a.OnFailure = wire.Optional[string]{V: "ALL_OLD", Set: true}
	}
	a.ConditionExpression.V = w.Text
	for i, p := range w.Parameters {
		a.Values = append(a.Values, expr.Value{Placeholder: strconv.Itoa(i), Value: p})
	}
	return a
}

// AddStatement adds a write of a statement to the transaction.
func (in *TransactWriteItemsInput) AddStatement(w *StatementWrite) {
	in.TransactItems = append(in.TransactItems, w.action())
}

// AddStatement adds a read of a statement to the transaction.
func (in *TransactGetItemsInput) AddStatement(table string, key item.Value, projection *expr.Projection) {
	g := transactGet{TableName: wire.NamedTable(table), set: true, hasKey: true}
	g.Key.Value, g.projection = key, projection
	in.TransactItems = append(in.TransactItems, g)
}

// HasDuplicates reports whether two of the store keys are equal. It sorts them.
func HasDuplicates(keys [][]byte) bool { return hasDuplicates(keys) }

// withStatementDepth returns a Next that refuses items nested too deeply, with the message for statements.
func withStatementDepth(next func(item.Value) (item.Value, error)) func(item.Value) (item.Value, error) {
	return func(old item.Value) (item.Value, error) {
		it, err := next(old)
		if it != nil && it.ItemDepth() > item.MaxDepth {
			return nil, wire.ValidationError("Nesting Levels have exceeded supported limits")
		}
		return it, err
	}
}
