package sql

import (
	"math"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// expr compiles a scalar expression.
func (c *compiler) expr(e ast.Expr) eval {
	if slot, ok := c.grouped(e); ok {
		return slotValue(slot)
	}
	switch e := e.(type) {
	case *ast.Literal:
		return constantValue(e.Value)
	case *ast.Param:
		return constantValue(c.params.Values[e.Name])
	case *ast.Ident:
		return c.ident(e, e)
	case *ast.Member:
		return c.member(e)
	case *ast.Index:
		return c.index(e)
	case *ast.Array:
		return c.array(e)
	case *ast.Object:
		return c.object(e)
	case *ast.Call:
		return c.call(e)
	case *ast.Cond:
		return c.cond(e)
	case *ast.Subquery:
		return c.subquery(e)
	case *ast.Unary:
		if e.Op != ast.Not {
			return c.arithmeticUnary(e)
		}
	case *ast.Binary:
		if e.Op == ast.Coalesce || e.Op >= ast.BitOr {
			return c.arithmetic(e)
		}
	case *ast.Verbatim:
		c.fail(faultSyntax.at(e.Span, e.Text))
		return constantValue(doc.Value{})
	}
	holds := c.test(e)
	return func(f *frame) doc.Value { return holds(f).value() }
}

func constantValue(v doc.Value) eval { return func(*frame) doc.Value { return v } }

func slotValue(slot int) eval { return func(f *frame) doc.Value { return f.slots[slot] } }

// ident compiles an alias. whole is the expression that contains it, for the error message.
func (c *compiler) ident(e *ast.Ident, whole ast.Expr) eval {
	c.varies = true
	slot, group, ok := c.scope.lookup(e.Name)
	switch {
	case !ok && e.Name == "NaN":
		c.computes = true
		return constantValue(doc.Number(math.NaN()))
	case !ok && e.Name == "Infinity":
		c.computes = true
		return constantValue(doc.Number(math.Inf(1)))
	case !ok:
		c.fail(faultIdentifier.at(e.Span, e.Name))
	case group != nil:
		c.fail(faultUngrouped.at(whole.At(), ast.Key(whole)))
	}
	return slotValue(slot)
}

// member compiles a whole path at once: the slot of its alias, and its names.
func (c *compiler) member(e *ast.Member) eval {
	names := []string{e.Name}
	of := e.Of
	for {
		m, ok := of.(*ast.Member)
		if !ok {
			break
		}
		if _, grouped := c.grouped(m); grouped {
			break
		}
		names = append(names, m.Name)
		of = m.Of
	}
	if root, ok := of.(*ast.Ident); ok {
		if slot, grouped := c.grouped(of); grouped {
			return slotPath(slot, names)
		}
		value := c.ident(root, e)
		if slot, _, ok := c.scope.lookup(root.Name); ok {
			last := len(names) - 1
			if value, ok := c.computed(slot, names[last]); ok {
				return fieldsOf(value, names[:last])
			}
			return slotPath(slot, names)
		}
		return fieldsOf(value, names)
	}
	return fieldsOf(c.expr(of), names)
}

// slotPath compiles the property of a slot's value at a path of names, the last of which is the outermost step, as in
// the tree.
func slotPath(slot int, names []string) eval {
	if len(names) == 1 {
		name := names[0]
		return func(f *frame) doc.Value { return f.field(&f.slots[slot], name) }
	}
	return func(f *frame) doc.Value { return f.follow(&f.slots[slot], names) }
}

// fieldsOf compiles the property of a value at a path of names.
func fieldsOf(value eval, names []string) eval {
	return func(f *frame) doc.Value {
		v := value(f)
		return f.follow(&v, names)
	}
}

// follow returns the property at a path of names, given from last to first.
func (f *frame) follow(v *doc.Value, names []string) doc.Value {
	for i := len(names) - 1; i >= 0 && v != nil; i-- {
		v = f.member(v, names[i])
	}
	if v == nil {
		return doc.Value{}
	}
	return *v
}

// manyMembers is the number of properties from which a lookup counts as work.
const manyMembers = 64

// member returns a pointer to a property, or nil. It does not copy the value, which may be large.
func (f *frame) member(v *doc.Value, name string) *doc.Value {
	if _, n := v.Extent(); n > manyMembers {
		f.step(n / 8)
	}
	return v.Member(name)
}

// field returns a copy of a property; undefined if there is none.
func (f *frame) field(v *doc.Value, name string) doc.Value {
	if found := f.member(v, name); found != nil {
		return *found
	}
	return doc.Value{}
}

func (c *compiler) index(e *ast.Index) eval {
	if !isName(e.By) {
		c.fail(faultIndexer.at(e.Span))
	}
	of, by := c.expr(e.Of), c.expr(e.By)
	return func(f *frame) doc.Value { return f.elementOf(of(f), by(f)) }
}

// elementOf returns an array's element by index, or an object's property by name; undefined otherwise.
func (f *frame) elementOf(of, by doc.Value) doc.Value {
	switch by.Kind() {
	case doc.Text:
		return f.field(&of, by.Str())
	case doc.Numeric:
		if n := by.Float(); n >= 0 && n < math.MaxInt32 && n == math.Trunc(n) {
			return of.At(int(n))
		}
	}
	return doc.Value{}
}

func (c *compiler) all(list []ast.Expr) []eval {
	values := make([]eval, len(list))
	for i, e := range list {
		values[i] = c.expr(e)
	}
	return values
}

// array keeps undefined elements: the service writes them as null.
func (c *compiler) array(e *ast.Array) eval {
	elements := c.all(e.Elements)
	return func(f *frame) doc.Value {
		if !f.grow(valueBytes * len(elements)) {
			return doc.Value{}
		}
		values := make([]doc.Value, len(elements))
		for i := range elements {
			values[i] = elements[i](f)
		}
		return doc.Array(values...)
	}
}

func (c *compiler) object(e *ast.Object) eval {
	members := make([]objectMember, len(e.Properties))
	seen := map[string]bool{}
	for i, property := range e.Properties {
		if seen[property.Name] {
			c.fail(faultPropertyTwice.at(e.Span, property.Name))
		}
		seen[property.Name] = true
		members[i] = objectMember{property.Name, c.expr(property.Value)}
	}
	return makeObject(members)
}

// cond evaluates to the part after the colon unless the condition is true: also if it is undefined or not a boolean.
func (c *compiler) cond(e *ast.Cond) eval {
	holds, then, otherwise := c.test(e.If), c.expr(e.Then), c.expr(e.Else)
	return func(f *frame) doc.Value {
		if holds(f) == yes {
			return then(f)
		}
		return otherwise(f)
	}
}
