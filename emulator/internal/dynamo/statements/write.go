package statements

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/data"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/partiql"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// kinds are the kinds of writes of statements.
var kinds = map[partiql.Kind]string{partiql.Insert: "Put", partiql.Update: "Update", partiql.Delete: "Delete",
	partiql.Exists: "ConditionCheck"}

// write returns the write or the check of the statement. Errors: the WHERE clause does not determine one item.
func (s *statement) write(t *engine.Table) (*data.StatementWrite, error) {
	c := s.compiled
	w := &data.StatementWrite{Kind: kinds[c.Kind], TableName: c.TableName, Target: c.NewItem, Condition: c.Condition,
		Update: c.Update, ReturnItem: s.ReturnValuesOnConditionCheckFailure.V == "ALL_OLD", Text: s.Statement.V,
		Parameters: s.parameters}
	if c.Kind == partiql.Insert {
		return w, nil
	}
	key, err := keyOf(t, c.Keys)
	w.Target = key
	return w, err
}

// keyOf returns the key that the equalities of a WHERE clause determine. Its values may have other types than the
// schema's.
func keyOf(t *engine.Table, where *partiql.Predicate) (item.Value, error) {
	equalities := where.Equalities()
	var entries []item.Entry
	for _, name := range t.Keys.Names() {
		values := equalities[name]
		if values == nil {
			return nil, wire.ValidationError("Where clause does not contain a mandatory equality on all key attributes")
		}
		for _, v := range values[1:] {
			if !item.Equal(v, values[0]) {
				return nil, wire.ValidationError("Multiple conditions on same key")
			}
		}
		if err := checkKeyType(name, values[0]); err != nil {
			return nil, err
		}
		entries = append(entries, item.Entry{Name: name, Value: values[0]})
	}
	return item.NewMap(entries...), nil
}

// checkKeyType returns an error for a value of a type that no key has.
func checkKeyType(name string, v item.Value) error {
	switch v.Type() {
	case item.String, item.Number, item.Binary:
		return nil
	}
	return wire.ValidationError("Key value must be of type S, N, or B. Key name: " + name + ", Key type: " +
		v.Type().String())
}

// checkSchemaTypes returns the error, outside of transactions, for key values that do not have the types of the schema.
func checkSchemaTypes(keys *engine.KeySchema, it item.Value) error {
	for _, a := range keys.Attributes() {
		if v, ok := it.Field(a.Name); ok && v.Type() != a.Type {
			return errSchemaType(a.Name)
		}
	}
	return nil
}

func errSchemaType(name string) error {
	return wire.ValidationError("Key attribute's data type should match its data type in table's schema: Key " + name)
}

// prepareWrite returns the write of a statement that is not in a transaction. named reports whether an error names the
// table in the response of a batch: the statement reached its table's items.
func (s *statement) prepareWrite(t *engine.Table) (w *data.StatementWrite, named bool, err error) {
	if w, err = s.write(t); err != nil {
		return nil, false, err
	}
	if err := checkSchemaTypes(&t.Keys, w.Target); err != nil {
		return nil, false, err
	}
	return w, true, w.Check(t)
}

// returned returns the item for RETURNING, nil for none.
func (s *statement) returned(c *engine.Change) item.Value {
	r := s.compiled.Returning
	if r == nil {
		return nil
	}
	image := c.New
	if r.Old {
		image = c.Old
	}
	if image == nil || !r.Modified {
		return image
	}
	changed, err := s.compiled.Update.TargetProjection().Apply(image, nil)
	if err != nil || changed.Len() == 0 {
		return nil
	}
	return changed
}

// apply runs a write, and returns its change and the item for RETURNING, nil for none.
func (s *statement) apply(req *engine.Request, t *engine.Table, w *data.StatementWrite) (*engine.Change, item.Value,
	error) {
	c := w.Change(req, t)
	c.ReturnOld = s.compiled.Returning != nil && s.compiled.Returning.Old
	if err := req.Engine.Apply(c); err != nil {
		return c, nil, err
	}
	return c, s.returned(c), nil
}
