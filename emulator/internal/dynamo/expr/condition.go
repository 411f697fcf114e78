package expr

import (
	"iter"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// Condition is a condition or a filter, ready to be asked of items. It may be used by many goroutines.
type Condition struct{ tree }

// ParseCondition reads a ConditionExpression or a FilterExpression.
func ParseCondition(param Parameter, src string, placeholders *Placeholders) (*Condition, error) {
	c := new(Condition)
	if err := c.parse(param, src, placeholders); err != nil {
		return nil, err
	}
	return c, nil
}

// parse reads a condition into an empty tree.
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
// matches every item. The error is the budget's, which bounds the work; nil is no bound.
func (c *Condition) Match(it item.Value, b *budget.Budget) (bool, error) {
	if c == nil {
		return true, nil
	}
	s := subject{item.Reader{Budget: b}, it}
	met := c.test(&c.nodes[c.root], &s)
	return met, b.Step(0)
}

// Paths are the document paths in the condition, in the order in which they are written.
func (c *Condition) Paths() iter.Seq[Path] { return c.paths }
