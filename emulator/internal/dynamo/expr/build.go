package expr

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"

// Builder builds a condition from parts instead of text, for languages other than DynamoDB's expressions. Each Term may
// be an operand only once. The messages of its errors have no prefix that names a parameter.
type Builder struct{ c *Condition }

// Term is a part of a condition or of an update.
type Term ref

// NewBuilder returns an empty Builder.
func NewBuilder() Builder {
	b := Builder{new(Condition)}
	b.c.init()
	return b
}

// Path adds a document path.
func (b Builder) Path(p Path) Term { return b.c.addPath(p) }

// Value adds a value.
func (b Builder) Value(v item.Value) Term { return b.c.addValue(v) }

// And adds the condition that all terms are true.
func (b Builder) And(terms ...Term) Term { return b.c.combine(opAnd, "AND", terms) }

// Or adds the condition that at least one of the terms is true.
func (b Builder) Or(terms ...Term) Term { return b.c.combine(opOr, "OR", terms) }

// Not adds the condition that a term is false.
func (b Builder) Not(term Term) Term { return b.c.combine(opNot, "NOT", []Term{term}) }

// operatorsByText are the operators of conditions.
var operatorsByText = map[string]op{"=": opEqual, "<>": opNotEqual, "<": opLess, "<=": opLessEqual, ">": opGreater,
	">=": opGreaterEqual, "BETWEEN": opBetween, "IN": opIn}

// Operator adds a comparison: =, <>, <, <=, >, >=, BETWEEN or IN.
func (b Builder) Operator(name string, operands ...Term) Term {
	return b.c.combine(operatorsByText[name], name, operands)
}

// IsFunction reports whether conditions have a function with that name.
func IsFunction(name string) bool {
	f := functionNamed(name)
	return f != nil && !f.update
}

// IsTest reports whether the function with that name is a condition; size is not.
func IsTest(name string) bool { return functionNamed(name).test }

// Function adds a function of conditions.
func (b Builder) Function(name string, operands ...Term) Term {
	return b.c.combine(functionNamed(name).op, name, operands)
}

// IsType adds the condition that an operand has a type; 0 means that it has no value.
func (b Builder) IsType(operand Term, t item.Type) Term {
	if t == 0 {
		return b.c.combine(opNotExists, "", []Term{operand})
	}
	return b.c.combine(opType, "", []Term{operand, b.Value(item.NewString(t.String()))})
}

// Truth makes a condition an operand: the boolean that it evaluates to.
func (b Builder) Truth(test Term) Term { return b.c.combine(opTruth, "", []Term{test}) }

// Condition returns the condition with that root. Errors: an *Error about operands that do not fit.
func (b Builder) Condition(root Term) (*Condition, error) {
	if err := b.c.checkBuilt(ref(root)); err != nil {
		return nil, err
	}
	b.c.root = ref(root)
	return b.c, nil
}

func (t *tree) addPath(p Path) Term {
	from := int32(len(t.steps))
	t.steps = append(t.steps, p...)
	return Term(t.add(node{op: opPath, span: span{from, int32(len(t.steps))}}))
}

func (t *tree) addValue(v item.Value) Term { return Term(t.add(node{op: opValue, value: v})) }

func (t *tree) combine(o op, text string, terms []Term) Term {
	n := node{op: o, text: text}
	for i := len(terms) - 1; i >= 0; i-- {
		t.nodes[terms[i]].next = n.first
		n.first = ref(terms[i])
	}
	return Term(t.add(n))
}

// checkBuilt checks operands, those of an operator before the operator. Tests of types have no text and need no check.
func (t *tree) checkBuilt(at ref) error {
	n := &t.nodes[at]
	if n.op == opPath && n.span.to-n.span.from > maxPathDepth {
		return errorf("The document path has too many nesting levels; nesting levels: %d", n.span.to-n.span.from)
	}
	for operand := n.first; operand != 0; operand = t.nodes[operand].next {
		if err := t.checkBuilt(operand); err != nil {
			return err
		}
	}
	if n.op == opPath || n.op == opValue || n.text == "" {
		return nil
	}
	return resolver{tree: t}.checkOperands(n)
}

// UpdateBuilder builds an Update from parts instead of text. Like a Builder, it reports errors without a prefix.
type UpdateBuilder struct{ u *Update }

// NewUpdateBuilder returns an empty UpdateBuilder.
func NewUpdateBuilder() UpdateBuilder {
	b := UpdateBuilder{new(Update)}
	b.u.init()
	b.u.actions = b.u.firstActions[:0]
	return b
}

// Path adds a document path as an operand.
func (b UpdateBuilder) Path(p Path) Term { return b.u.addPath(p) }

// Value adds a value as an operand.
func (b UpdateBuilder) Value(v item.Value) Term { return b.u.addValue(v) }

// Operator adds + or - with its operands.
func (b UpdateBuilder) Operator(name string, left, right Term) Term {
	o := opPlus
	if name == "-" {
		o = opMinus
	}
	return b.u.combine(o, name, []Term{left, right})
}

// IsUpdateFunction reports whether updates have a function with that name.
func IsUpdateFunction(name string) bool {
	f := functionNamed(name)
	return f != nil && f.update
}

// Function adds a function of updates.
func (b UpdateBuilder) Function(name string, operands ...Term) Term {
	return b.u.combine(functionNamed(name).op, name, operands)
}

// Set assigns an operand to a path.
func (b UpdateBuilder) Set(target Path, operand Term) { b.action(tokenSet, target, operand) }

// Remove removes a path.
func (b UpdateBuilder) Remove(target Path) { b.action(tokenRemove, target, 0) }

// Add adds the members of a set to the set at a path.
func (b UpdateBuilder) Add(target Path, set item.Value) { b.action(tokenAdd, target, b.Value(set)) }

// Delete deletes the members of a set from the set at a path.
func (b UpdateBuilder) Delete(target Path, set item.Value) {
	b.action(tokenDelete, target, b.Value(set))
}

func (b UpdateBuilder) action(section tokenKind, target Path, operand Term) {
	a := action{section: section, target: ref(b.u.addPath(target)), operand: ref(operand)}
	b.u.actions = append(b.u.actions, a)
}

// Update returns the update. Errors: an *Error about paths that overlap or operands that do not fit.
func (b UpdateBuilder) Update() (*Update, error) {
	targets := b.u.targets(nil)
	for i := len(targets) - 1; i >= 0; i-- {
		for _, later := range targets[i+1:] {
			if err := checkOverlap("", targets[i], later); err != nil {
				return nil, err
			}
		}
	}
	for _, a := range b.u.actions {
		if err := b.u.checkBuilt(a.target); err != nil {
			return nil, err
		}
		if err := b.u.checkBuilt(a.operand); err != nil {
			return nil, err
		}
	}
	return b.u, nil
}
