package expr

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"

// SearchCondition is a parsed SearchConditionExpression: attributes with the values that they must have, in the order
// of the text. The service allows nothing else (developer guide, "Troubleshooting vector indexes", 2026).
type SearchCondition []AttributeValue

// AttributeValue is an attribute of an item with a value.
type AttributeValue struct {
	Name  string
	Value item.Value
}

// ParseSearchCondition parses a SearchConditionExpression. (Messages: nubo-db/dynoxide, eu-west-2, 2026-08-13 and
// 2026-08-19.)
func ParseSearchCondition(src string, placeholders *Placeholders) (SearchCondition, error) {
	c, err := ParseCondition(SearchConditionExpression, src, placeholders)
	if err != nil {
		return nil, err
	}
	return c.equalities(&c.nodes[c.root], nil)
}

// equalities appends the equalities of a conjunction.
func (t *tree) equalities(n *node, dst SearchCondition) (SearchCondition, error) {
	invalid := func(message string) (SearchCondition, error) {
		return nil, SearchConditionExpression.invalidf("%s", message)
	}
	if n.op == opAnd {
		for r := n.first; r != 0; r = t.nodes[r].next {
			var err error
			if dst, err = t.equalities(&t.nodes[r], dst); err != nil {
				return nil, err
			}
		}
		return dst, nil
	}
	if n.op != opEqual {
		return invalid("Invalid comparator used in SearchConditionExpression")
	}
	left := &t.nodes[n.first]
	right := &t.nodes[left.next]
	if left.op == opValue {
		left, right = right, left
	}
	if left.op != opPath || right.op != opValue {
		return invalid("Invalid comparator used in SearchConditionExpression")
	}
	path := t.path(left.span)
	if len(path) > 1 {
		return invalid("SearchConditionExpression cannot have conditions on nested attributes")
	}
	for _, other := range dst {
		if other.Name == path.Attribute() {
			return invalid("SearchConditionExpression must only contain one condition per attribute")
		}
	}
	return append(dst, AttributeValue{path.Attribute(), right.value}), nil
}
