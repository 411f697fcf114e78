package statements

import (
	"bytes"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/data"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/partiql"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// branch is one alternative of a WHERE clause: its conditions on the partition key and on the sort key, each once.
type branch struct{ hash, sort []expr.Range }

// keyPlan is the conditions of a WHERE clause on the key of the table or index.
type keyPlan struct {
	keys     *engine.KeySchema
	branches []branch
	// unchecked means that branches may overlap: a sort key is negated in one, which the service does not compare.
	unchecked bool
}

// maxBranches is the maximum number of alternatives of a WHERE clause that are read by key; a clause with more scans.
// The limit is the emulator's own; the service has at most 300 operators.
const maxBranches = 512

// newKeyPlan returns the plan of a WHERE clause, which may be nil.
func newKeyPlan(keys *engine.KeySchema, where *partiql.Predicate) *keyPlan {
	p := &keyPlan{keys: keys}
	if where == nil {
		return p
	}
	p.branches, _ = p.alternatives(where)
	return p
}

// alternatives returns the branches of a predicate, and whether it has a condition on the key.
func (p *keyPlan) alternatives(w *partiql.Predicate) (all []branch, keyed bool) {
	none := []branch{{}}
	switch w.Op {
	case partiql.All:
		return p.allOf(w.Operands)
	case partiql.Any:
		for _, operand := range w.Operands {
			more, k := p.alternatives(operand)
			all, keyed = append(all, more...), keyed || k
		}
		if !keyed || len(all) > maxBranches {
			return none, false
		}
		return all, true
	case partiql.Compare:
		if b, ok := p.branchOf(w.Attribute, w.Range); ok {
			return []branch{b}, true
		}
	case partiql.OneOf:
		return p.oneOf(w)
	case partiql.Other:
		p.unchecked = p.unchecked || len(w.Operands) > 0 && p.mentionsSort(w.Operands[0])
	}
	return none, false
}

// allOf returns the combinations of the operands' branches.
func (p *keyPlan) allOf(operands []*partiql.Predicate) (all []branch, keyed bool) {
	all = []branch{{}}
	for _, operand := range operands {
		more, k := p.alternatives(operand)
		if keyed = keyed || k; len(all)*len(more) > maxBranches {
			continue // the filter has this condition too
		}
		var product []branch
		for _, a := range all {
			for _, b := range more {
				product = append(product, branch{union(a.hash, b.hash), union(a.sort, b.sort)})
			}
		}
		all = product
	}
	return all, keyed
}

// union returns the ranges of both, each once.
func union(a, b []expr.Range) []expr.Range {
	all := append([]expr.Range(nil), a...)
	for _, r := range b {
		if !containsRange(all, r) {
			all = append(all, r)
		}
	}
	return all
}

func containsRange(all []expr.Range, r expr.Range) bool {
	for _, other := range all {
		if other.Op == r.Op && bytes.Equal(other.Low, r.Low) && bytes.Equal(other.High, r.High) {
			return true
		}
	}
	return false
}

// branchOf returns the branch of a condition on an attribute; ok is false if it is not a key attribute.
func (p *keyPlan) branchOf(attribute string, r expr.Range) (b branch, ok bool) {
	switch attribute {
	case p.keys.Partition().Name:
		return branch{hash: []expr.Range{r}}, true
	case p.keys.Sort().Name:
		return branch{sort: []expr.Range{r}}, true
	}
	return branch{}, false
}

// oneOf returns the branches of IN on the partition key, or of IN with one value on the sort key.
func (p *keyPlan) oneOf(w *partiql.Predicate) (all []branch, keyed bool) {
	if len(w.Values) > 1 && w.Attribute != p.keys.Partition().Name {
		return []branch{{}}, false
	}
	for _, v := range w.Values {
		b, ok := p.branchOf(w.Attribute, expr.Range{Op: expr.Equal, Low: v})
		if !ok {
			return []branch{{}}, false
		}
		all = append(all, b)
	}
	return all, true
}

// mentionsSort reports whether a predicate has a condition on the sort key.
func (p *keyPlan) mentionsSort(w *partiql.Predicate) bool {
	for _, operand := range w.Operands {
		if p.mentionsSort(operand) {
			return true
		}
	}
	return w.Attribute != "" && w.Attribute == p.keys.Sort().Name
}

// hashValue returns the partition key of a branch, nil if it does not have exactly one.
func (b branch) hashValue() item.Value {
	if len(b.hash) == 1 && b.hash[0].Op == expr.Equal {
		return b.hash[0].Low
	}
	return nil
}

// isKeyed reports whether each branch has a partition key, so that the table or index need not be scanned.
func (p *keyPlan) isKeyed() bool {
	for _, b := range p.branches {
		if b.hashValue() == nil {
			return false
		}
	}
	return len(p.branches) > 0
}

// checkTypes returns an error for key values that do not have the types of the key. Like the service, it checks the
// branches in the order of the text until one that is not read by key.
func (p *keyPlan) checkTypes() error {
	for _, b := range p.branches {
		hash := b.hashValue()
		if hash == nil {
			return nil
		}
		if err := checkValue(p.keys.Partition(), hash); err != nil {
			return err
		}
		for _, r := range b.sort {
			for _, v := range []item.Value{r.Low, r.High} {
				if v == nil {
					continue
				}
				if err := checkValue(p.keys.Sort(), v); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func checkValue(a engine.KeyAttribute, v item.Value) error {
	if err := checkKeyType(a.Name, v); err != nil {
		return err
	}
	if v.Type() != a.Type {
		return errSchemaType(a.Name)
	}
	return nil
}

// checkSizes returns an error for key values of a size that no key can have. A statement with several branches is not
// checked.
func (p *keyPlan) checkSizes() error {
	if len(p.branches) != 1 {
		return nil
	}
	b := p.branches[0]
	hash := p.keys.Partition()
	if err := engine.CheckKeyValue(hash, b.hashValue()); err != nil {
		return err
	}
	if err := engine.CheckPartitionKeySize(hash, b.hashValue()); err != nil {
		return err
	}
	for _, r := range b.sort {
		for _, v := range []item.Value{r.Low, r.High} {
			if v == nil {
				continue
			}
			if err := engine.CheckSortKeySize(p.keys.Sort(), v); err != nil {
				return err
			}
		}
	}
	return nil
}

// conditions returns the key conditions of the branches. Of several conditions on a sort key the first one is used; the
// filter has all.
func (p *keyPlan) conditions() []*expr.KeyCondition {
	all := make([]*expr.KeyCondition, len(p.branches))
	for i, b := range p.branches {
		all[i] = &expr.KeyCondition{Hash: []item.Value{b.hashValue()}}
		if len(b.sort) > 0 {
			all[i].Ranges = b.sort[:1]
		}
	}
	return all
}

// checkOverlap returns an error for branches with keys in common, as far as the service compares them.
func (p *keyPlan) checkOverlap(r *data.StatementRead) error {
	for _, b := range p.branches {
		if p.unchecked || len(b.sort) > 1 {
			return nil
		}
	}
	if r.Overlap(p.conditions()) {
		return wire.ValidationError("Overlapping conditions with range keys are not supported in where clause")
	}
	return nil
}

// partitionKeys returns the values of the partition key that the plan reads, nil if it scans.
func (p *keyPlan) partitionKeys() (values []item.Value) {
	if !p.isKeyed() {
		return nil
	}
	for _, b := range p.branches {
		values = append(values, b.hashValue())
	}
	return values
}

// isPrimaryKey reports whether a WHERE clause has nothing but one equality for each key attribute of the table.
func isPrimaryKey(keys *engine.KeySchema, where *partiql.Predicate) bool {
	found := map[string]item.Value{}
	if where == nil || !collectEqualities(where, found) {
		return false
	}
	for _, name := range keys.Names() {
		if found[name] == nil {
			return false
		}
	}
	return len(found) == len(keys.Names())
}

// collectEqualities collects equalities joined by AND. It returns false for any other condition, and for two values of
// one attribute.
func collectEqualities(w *partiql.Predicate, found map[string]item.Value) bool {
	value := w.Range.Low
	switch {
	case w.Op == partiql.All:
		for _, operand := range w.Operands {
			if !collectEqualities(operand, found) {
				return false
			}
		}
		return true
	case w.Op == partiql.OneOf && len(w.Values) == 1:
		value = w.Values[0]
	case w.Op != partiql.Compare || w.Range.Op != expr.Equal:
		return false
	}
	if known := found[w.Attribute]; known != nil && !item.Equal(known, value) {
		return false
	}
	found[w.Attribute] = value
	return true
}
