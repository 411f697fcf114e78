package expr

import (
	"iter"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// KeySchema is the key of a table or an index: its partition (HASH) key attributes, and its sort (RANGE) key
// attributes, which may be none.
type KeySchema struct {
	Hash, Range []KeyAttribute
}

// KeyAttribute is a key attribute; its type is String, Number or Binary.
type KeyAttribute struct {
	Name string
	Type item.Type
}

// KeyCondition selects the items of a Query: a value of each partition key attribute, and ranges of the sort key
// attributes from the left. All ranges but the last are Equal.
type KeyCondition struct {
	Hash   []item.Value
	Ranges []Range

	firstHash  [1]item.Value
	firstRange [1]Range
}

// Range is a condition on a sort key attribute.
type Range struct {
	Op   RangeOp
	Low  item.Value // the only operand, or the lower bound of Between
	High item.Value // the upper bound of Between
}

// RangeOp is the operator of a Range.
type RangeOp byte

// The operators.
const (
	Equal RangeOp = iota + 1
	Less
	LessEqual
	Greater
	GreaterEqual
	Between
	BeginsWith
)

// Contains reports whether a value of the attribute meets the condition.
func (r Range) Contains(v item.Value) bool {
	var s subject
	switch r.Op {
	case BeginsWith:
		return beginsWith(v, r.Low)
	case Between:
		return s.compare(opGreaterEqual, v, r.Low) && s.compare(opLessEqual, v, r.High)
	case Equal:
		return s.compare(opEqual, v, r.Low)
	}
	return s.compare(opLess+op(r.Op-Less), v, r.Low)
}

// rangeOp converts the operator of a clause.
func rangeOp(o op) RangeOp {
	switch o {
	case opEqual:
		return Equal
	case opBetween:
		return Between
	case opBeginsWith:
		return BeginsWith
	}
	return Less + RangeOp(o-opLess)
}

// attributes returns the key's attributes in the order of the schema.
func (s *KeySchema) attributes() iter.Seq2[int, KeyAttribute] {
	return func(yield func(int, KeyAttribute) bool) {
		for i, a := range s.Hash {
			if !yield(i, a) {
				return
			}
		}
		for i, a := range s.Range {
			if !yield(len(s.Hash)+i, a) {
				return
			}
		}
	}
}

// Resolve returns the condition on the key with that schema. Each partition key attribute must be compared by equality
// with a value of its type; sort key attributes may have conditions, from the left.
func (k *KeyExpression) Resolve(schema *KeySchema) (*KeyCondition, error) {
	if n := len(schema.Hash) + len(schema.Range); len(k.clauses) > n {
		return nil, errorf("The number of query conditions (%d) exceeds the number of key attributes defined in "+
			"the schema (%d)", len(k.clauses), n)
	}
	if schema.IsMultiAttribute() {
		return k.resolveMultiAttribute(schema)
	}
	var found [2]clause
	for i, a := range schema.attributes() {
		c, ok := k.clause(a.Name)
		if !ok && (i == 0 || len(k.clauses) > 1) {
			return nil, errorf("Query condition missed key schema element: %s", a.Name)
		}
		if err := c.check(a); ok && err != nil {
			return nil, err
		}
		if i == 0 && c.op != opEqual {
			return nil, errorf("Query key condition not supported")
		}
		found[i] = c
	}
	for i, a := range schema.attributes() {
		if err := found[i].checkNotEmpty(a); err != nil {
			return nil, err
		}
	}
	result := new(KeyCondition)
	result.Hash = append(result.firstHash[:0], found[0].operands[0])
	if s := found[1]; s.attribute != "" {
		result.Ranges = append(result.firstRange[:0], Range{Op: rangeOp(s.op), Low: s.operands[0], High: s.operands[1]})
	}
	return result, nil
}

func (k *KeyExpression) clause(attribute string) (clause, bool) {
	for _, c := range k.clauses {
		if c.attribute == attribute {
			return c, true
		}
	}
	return clause{}, false
}

// check checks a condition against its key attribute.
func (c clause) check(a KeyAttribute) error {
	if c.op == opNone {
		return errorf("Attempted conditional constraint is not an indexable operation")
	}
	for _, v := range c.operands {
		if v != nil && v.Type() != a.Type {
			return errorf(parameterValues + "Condition parameter type does not match schema type")
		}
	}
	return nil
}

func (c clause) checkNotEmpty(a KeyAttribute) error {
	for _, v := range c.operands {
		if v != nil && len(v.Bytes()) == 0 {
			kind := map[item.Type]string{item.String: "string", item.Binary: "binary"}[a.Type]
			return errorf("One or more parameter values are not valid. The AttributeValue for a key attribute "+
				"cannot contain an empty %s value. Key: %s", kind, a.Name)
		}
	}
	return nil
}
