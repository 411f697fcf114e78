package expr

import (
	"iter"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// KeyExpression is a parsed KeyConditionExpression or KeyConditions, not yet checked against the key of a table or
// index.
type KeyExpression struct {
	clauses []clause
	err     error // that the expression is not a key condition

	firstClauses [2]clause
}

// Err returns the error for an expression that is well-formed but not a condition on keys. The service reports it after
// the errors of the other expressions, and after unused placeholders (moto, verified on AWS in us-east-1, 2026).
func (k *KeyExpression) Err() error { return k.err }

// clause is the condition on one attribute.
type clause struct {
	attribute string
	op        op // opNone where no index can answer it: NE, IN and others in KeyConditions
	operands  [2]item.Value
}

// Attributes returns the names of the attributes that have a condition.
func (k *KeyExpression) Attributes() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, c := range k.clauses {
			if !yield(c.attribute) {
				return
			}
		}
	}
}

// ParseKeyCondition parses a KeyConditionExpression. What else does not depend on the table is in Err.
func ParseKeyCondition(src string, placeholders *Placeholders) (*KeyExpression, error) {
	var t tree
	if err := t.parse(KeyConditionExpression, src, placeholders); err != nil {
		return nil, err
	}
	k := new(KeyExpression)
	k.clauses = k.firstClauses[:0]
	k.err = k.collect(&t, &t.nodes[t.root])
	return k, nil
}

// collect collects the conditions of an expression, which may contain only comparisons joined by AND. Older recordings
// have these messages without the prefix "Invalid KeyConditionExpression: "; the newest have it, where there are any
// (moto, verified on AWS, and paritysuite, 2026).
func (k *KeyExpression) collect(t *tree, n *node) error {
	switch n.op {
	case opAnd:
		for r := n.first; r != 0; r = t.nodes[r].next {
			if err := k.collect(t, &t.nodes[r]); err != nil {
				return err
			}
		}
		return nil
	case opEqual, opLess, opLessEqual, opGreater, opGreaterEqual:
	case opBetween, opBeginsWith:
		if t.nodes[n.first].op != opPath {
			return KeyConditionExpression.invalidf("Invalid condition in KeyConditionExpression: %s operator must have "+
				"the key attribute as its first operand", n.text)
		}
	default:
		return KeyConditionExpression.invalidf("Invalid operator used in KeyConditionExpression: %s", n.text)
	}
	c, err := newClause(t, n)
	if err != nil {
		return err
	}
	for _, other := range k.clauses {
		if other.attribute == c.attribute {
			return KeyConditionExpression.invalidf("KeyConditionExpressions must only contain one condition per key")
		}
	}
	k.clauses = append(k.clauses, c)
	return nil
}

func newClause(t *tree, n *node) (clause, error) {
	c := clause{op: n.op}
	operands := c.operands[:0]
	for r := n.first; r != 0; r = t.nodes[r].next {
		o := &t.nodes[r]
		switch {
		case o.op == opValue:
			operands = append(operands, o.value)
		case o.op != opPath:
			return c, KeyConditionExpression.invalidf("KeyConditionExpressions cannot contain nested operations")
		case c.attribute != "":
			return c, KeyConditionExpression.invalidf(
				"Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition")
		case o.span.to-o.span.from > 1:
			return c, KeyConditionExpression.invalidf("KeyConditionExpressions cannot have conditions on nested attributes")
		default:
			c.attribute = t.path(o.span).Attribute()
		}
	}
	if c.attribute == "" {
		return c, KeyConditionExpression.invalidf("Invalid condition in KeyConditionExpression: No key attribute specified")
	}
	if t.nodes[n.first].op == opValue {
		c.op = mirrored(c.op)
	}
	return c, nil
}

// mirrored returns the operator that gives the same result with exchanged operands.
func mirrored(o op) op {
	switch o {
	case opLess:
		return opGreater
	case opLessEqual:
		return opGreaterEqual
	case opGreater:
		return opLess
	case opGreaterEqual:
		return opLessEqual
	}
	return o
}
