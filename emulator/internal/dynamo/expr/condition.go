package expr

import (
	"iter"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// Condition is a parsed condition or filter. It is safe for concurrent use.
type Condition struct{ tree }

// ParseCondition parses a ConditionExpression or a FilterExpression.
func ParseCondition(param Parameter, src string, placeholders *Placeholders) (*Condition, error) {
	c := new(Condition)
	if err := c.parse(param, src, placeholders); err != nil {
		return nil, err
	}
	return c, nil
}

// parse parses a condition into an empty tree.
func (t *tree) parse(param Parameter, src string, placeholders *Placeholders) error {
	p := newParser(t, param, src)
	t.root = p.condition()
	if err := p.finish(); err != nil {
		return err
	}
	if err := t.checkShape(param, t.root, placeTest); err != nil {
		return err
	}
	if err := (resolver{t, param, placeholders}).resolve(t.root); err != nil {
		return err
	}
	return checkOperators(param, p.operators)
}

// Match reports whether the item meets the condition. An item that does not exist is item.Empty. The nil Condition
// matches every item. The only error is that of the budget, which limits the work; a nil budget has no limit.
func (c *Condition) Match(it item.Value, b *budget.Budget) (bool, error) {
	if c == nil {
		return true, nil
	}
	s := subject{item.Reader{Budget: b}, it}
	met := c.test(&c.nodes[c.root], &s)
	return met, b.Step(0)
}

// Paths returns the document paths in the condition, in the order of the text.
func (c *Condition) Paths() iter.Seq[Path] { return c.paths }
