package statements

import (
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/data"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/partiql"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// keysOf returns the key by which a statement reads.
func keysOf(t *engine.Table, x *engine.Index) *engine.KeySchema {
	if x != nil {
		return &x.Keys
	}
	return &t.Keys
}

// read returns the read of a SELECT. Errors: the table or index does not allow it.
func (s *statement) read(t *engine.Table, x *engine.Index, o data.Options) (*data.StatementRead, error) {
	if err := s.checkIndex(x); err != nil {
		return nil, err
	}
	c := s.compiled
	plan := newKeyPlan(keysOf(t, x), c.Keys)
	r := data.NewStatementRead(t, x)
	if err := checkOrderTerms(c, plan.keys); err != nil {
		return nil, err
	}
	if err := plan.checkTypes(); err != nil {
		return nil, err
	}
	keyed := plan.isKeyed()
	if keyed {
		if err := plan.checkOverlap(r); err != nil {
			return nil, err
		}
		if err := plan.checkSizes(); err != nil {
			return nil, err
		}
	}
	backward, err := plan.order(c)
	if err != nil {
		return nil, err
	}
	if r.Backward = backward; keyed {
		for _, condition := range plan.conditions() {
			r.AddRange(condition)
		}
	}
	o.TableName, o.Filter, o.Projection, o.Consistent = c.TableName, c.Condition, c.Projection, s.ConsistentRead.V
	return r, r.SetOptions(o)
}

// checkIndex returns an error for an index that statements cannot read.
func (s *statement) checkIndex(x *engine.Index) error {
	switch {
	case x == nil:
		return nil
	case len(x.Keys.Hash) > 1 || len(x.Keys.Range) > 1:
		// The service checks this before everything else (paritysuite, partiqlMultiAttributeIndex, October 2026).
		return wire.ValidationError("PartiQL statements cannot be executed on tables with multi-attribute HASH keys or " +
			"multi-attribute RANGE keys.")
	case x.Backfilling:
		return wire.ValidationError("Cannot read from backfilling global secondary index: " + x.Name)
	case s.ConsistentRead.V && !x.Local:
		return wire.ValidationError("Strongly consistent read is not supported on Global Secondary Indexes")
	}
	return nil
}

// checkOrderTerms checks each term of ORDER BY by itself.
func checkOrderTerms(c *partiql.Compiled, keys *engine.KeySchema) error {
	if len(c.Order) > 0 && c.Where == nil {
		return wire.ValidationError("Must have WHERE clause in the statement when using ORDER BY clause.")
	}
	for _, term := range c.Order {
		name, err := term.Attribute()
		if err != nil {
			return wire.ValidationError(err.Error())
		}
		if !slices.Contains(keys.Names(), name) {
			return wire.ValidationError("Attribute " + name + " in ORDER BY clause must be part of the primary key")
		}
	}
	return nil
}

// order sorts the branches by ORDER BY, and reports whether each partition is read backward. A clause with only the
// partition key reads backward (nubo-db/dynoxide, captures of 2026-10-09).
func (p *keyPlan) order(c *partiql.Compiled) (backward bool, err error) {
	if len(c.Order) == 0 {
		return false, nil
	}
	if !p.isKeyed() {
		return false, wire.ValidationError(
			"Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.")
	}
	hash, sort := -1, -1 // the first terms of the partition key and of the sort key
	for i, term := range c.Order {
		switch name, _ := term.Attribute(); {
		case name == p.keys.Partition().Name && hash < 0:
			hash = i
		case name == p.keys.Sort().Name && sort < 0:
			sort = i
		}
	}
	compare := func(a, b branch) int { return item.Compare(a.hashValue(), b.hashValue()) }
	if hash < 0 {
		for _, b := range p.branches[1:] {
			if compare(b, p.branches[0]) != 0 {
				return false, wire.ValidationError(
					"Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE clause.")
			}
		}
	} else {
		slices.SortStableFunc(p.branches, compare)
		if c.Order[hash].Descending {
			slices.Reverse(p.branches)
		}
	}
	return sort < 0 || c.Order[sort].Descending, nil
}

// readOne returns the key that a SELECT in a batch or a transaction reads. operation is the operation's name in the
// message for a WHERE clause that is not a primary key.
func (s *statement) readOne(t *engine.Table, r *data.StatementRead, operation string) error {
	c := s.compiled
	plan := newKeyPlan(&t.Keys, c.Keys)
	if plan.isKeyed() && plan.typesMatch() {
		if err := plan.checkOverlap(r); err != nil {
			return err
		}
	}
	if c.IndexName == "" && len(c.Order) == 0 && isPrimaryKey(&t.Keys, c.Keys) {
		return nil
	}
	return wire.ValidationError("Select statements within " + operation +
		" must specify the primary key in the where clause.")
}

// typesMatch reports whether the key values have the types of the key.
func (p *keyPlan) typesMatch() bool { return p.checkTypes() == nil }

// primaryKey returns the key in a WHERE clause for which isPrimaryKey holds.
func primaryKey(where *partiql.Predicate) item.Value {
	found := map[string]item.Value{}
	collectEqualities(where, found)
	var entries []item.Entry
	for name, v := range found {
		entries = append(entries, item.Entry{Name: name, Value: v})
	}
	return item.NewMap(entries...)
}

// partitionKeys returns the values of the partition key of the items that a statement reads or writes; nil if it scans.
func (s *statement) partitionKeys(t *engine.Table) []item.Value {
	c := s.compiled
	if c.NewItem != nil {
		if v, ok := c.NewItem.Field(t.Keys.Partition().Name); ok {
			return []item.Value{v}
		}
		return nil
	}
	if !s.isRead() {
		return c.Keys.Equalities()[t.Keys.Partition().Name] // as keyOf uses them, whatever else the clause says
	}
	keys := &t.Keys
	if x, ok := t.Index(c.IndexName); ok {
		keys = &x.Keys
	}
	return newKeyPlan(keys, c.Keys).partitionKeys()
}

// isFullScan reports whether a statement reads a whole table or index.
func (s *statement) isFullScan(t *engine.Table) bool { return s.isRead() && s.partitionKeys(t) == nil }

// rangeOfKey returns the condition on one key.
func rangeOfKey(t *engine.Table, key item.Value) *expr.KeyCondition {
	hash, _ := key.Field(t.Keys.Partition().Name)
	condition := &expr.KeyCondition{Hash: []item.Value{hash}}
	if sort, ok := key.Field(t.Keys.Sort().Name); ok {
		condition.Ranges = []expr.Range{{Op: expr.Equal, Low: sort}}
	}
	return condition
}
