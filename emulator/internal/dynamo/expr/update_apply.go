package expr

import (
	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// Apply returns the updated item. Every operand is evaluated on the old item. Errors: a runtime *Error if the item does
// not fit; the error of the budget, which limits the work. A nil budget has no limit.
func (u *Update) Apply(old item.Value, b *budget.Budget) (item.Value, error) {
	return u.apply(old, true, b)
}

// Create applies the update to an item that does not exist and consists only of its key. Unlike in Apply, REMOVE of a
// path through missing values is not an error (ScyllaDB's tests of the service).
func (u *Update) Create(key item.Value, b *budget.Budget) (item.Value, error) {
	return u.apply(key, false, b)
}

// maxWrittenBytes is the maximum total length in bytes of the values that an update writes. Longer values make an item
// far too large, however few bytes the service counts for the numbers in it. They are not even assembled: an expression
// that uses the values of its request again and again could exhaust memory.
const maxWrittenBytes = 64 * 400 << 10

func (u *Update) apply(old item.Value, exists bool, b *budget.Budget) (item.Value, error) {
	s := subject{item.Reader{Budget: b}, old}
	var buf [4]edit
	edits := buf[:0]
	written := 0
	for i := range u.actions {
		if err := b.Step(1); err != nil {
			return nil, err
		}
		a := &u.actions[i]
		e := edit{path: u.target(*a)}
		if !e.hasParent(&s) {
			if a.section == tokenRemove && !exists {
				continue
			}
			return nil, errPath()
		}
		var err error
		if e.value, err = u.newValue(a, e.path.in(&s.Reader, old), &s); err != nil {
			return nil, err
		}
		if written += len(e.value); written > maxWrittenBytes {
			return nil, errTooLarge()
		}
		edits = append(edits, e)
	}
	return rewrite(&s, edits), b.Step(0)
}

// newValue returns the value that an action leaves at its target, nil for none.
func (u *Update) newValue(a *action, current item.Value, s *subject) (item.Value, error) {
	if a.section == tokenRemove {
		return nil, nil
	}
	operand, err := u.evaluate(&u.nodes[a.operand], s)
	if err != nil || a.section == tokenSet || current == nil && a.section == tokenAdd {
		return operand, err
	}
	if current == nil {
		return nil, nil
	}
	if current.Type() != operand.Type() {
		return nil, a.mismatch()
	}
	if a.section == tokenDelete {
		if rest := item.Difference(current, operand); rest.Len() > 0 {
			return rest, nil
		}
		return nil, nil
	}
	return sum(current, operand)
}

func (a *action) mismatch() error {
	if a.legacy {
		return errUpdateType()
	}
	return errOperand()
}

// sum returns the result of ADD for two values of one type: a sum, a union or, in AttributeUpdates, a concatenated
// list.
func sum(a, b item.Value) (item.Value, error) {
	switch a.Type() {
	case item.Number:
		return arithmeticResult(item.Add(a, b))
	case item.List:
		return item.Concat(a, b), nil
	}
	return item.Union(a, b), nil
}

// evaluate returns the value of an operand. Unlike in a condition, a missing value is an error.
func (u *Update) evaluate(n *node, s *subject) (item.Value, error) {
	if n.op < opIfNotExists {
		if v := u.valueOf(n, s); v != nil {
			return v, nil
		}
		return nil, errMissing()
	}
	first, second, _ := u.operands(n)
	if n.op == opIfNotExists {
		fallback, err := u.evaluate(second, s) // evaluated even if not needed, as in the service
		if v := u.valueOf(first, s); v != nil && err == nil {
			return v, nil
		}
		return fallback, err
	}
	want := item.Number
	if n.op == opListAppend {
		want = item.List
	}
	a, err := u.evaluateAs(first, s, want)
	if err != nil {
		return nil, err
	}
	b, err := u.evaluateAs(second, s, want)
	if err != nil {
		return nil, err
	}
	switch n.op {
	case opPlus:
		return arithmeticResult(item.Add(a, b))
	case opMinus:
		return arithmeticResult(item.Sub(a, b))
	}
	return item.Concat(a, b), nil
}

func (u *Update) evaluateAs(n *node, s *subject, want item.Type) (item.Value, error) {
	v, err := u.evaluate(n, s)
	if err == nil && v.Type() != want {
		return nil, errOperand()
	}
	return v, err
}

// arithmeticResult converts an arithmetic error to one of this package.
func arithmeticResult(v item.Value, err error) (item.Value, error) {
	if err != nil {
		return nil, &Error{Message: err.Error(), Runtime: true}
	}
	return v, nil
}
