package partiql

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// updates compiles the SET and REMOVE clauses of an UPDATE.
type updates struct {
	values
	expr.UpdateBuilder
}

func (c *Compiled) update(v values) (err error) {
	u := updates{v, expr.NewUpdateBuilder()}
	for _, a := range c.Actions {
		target, err := a.Path.path()
		if err != nil {
			return err
		}
		if a.Value == nil {
			u.Remove(target)
			continue
		}
		if err := u.assign(target, a); err != nil {
			return err
		}
	}
	c.Update, err = u.Update()
	return err
}

// assign compiles an assignment. set_add and set_delete are ADD and DELETE of an update expression.
func (u updates) assign(target expr.Path, a Action) error {
	if name := a.Value.functionName(); a.Value.Kind == nodeCall && (name == "set_add" || name == "set_delete") {
		set, err := u.setArgument(a)
		if err != nil {
			return err
		}
		if name == "set_add" {
			u.Add(target, set)
		} else {
			u.Delete(target, set)
		}
		return nil
	}
	operand, err := u.operand(a.Value)
	u.Set(target, operand)
	return err
}

// setArgument returns the second argument of set_add or set_delete, a set. The first is the target of the assignment.
func (u updates) setArgument(a Action) (item.Value, error) {
	call := a.Value
	name := strings.ToUpper(call.Text)
	if len(call.Args) != 2 {
		return nil, at(call.Pos, "%s must have exactly two arguments", name)
	}
	first, second := call.Args[0], call.Args[1]
	if first.Kind != nodePath || !equalSteps(first.Steps, a.Path.Steps) {
		if first.Kind == nodeBag { // errors in it are reported first
			if _, err := u.value(first, "root", 0); err != nil {
				return nil, err
			}
		}
		return nil, at(call.Pos, "The first argument to %s must equal the assignment value", name)
	}
	if second.isLiteral() {
		set, err := u.value(second, "root", 0)
		if err != nil || set.Type().IsSet() {
			return set, err
		}
	}
	return nil, at(first.Pos, "The second argument to %s must be a value with type SET", name)
}

func equalSteps(a, b []Step) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Name != b[i].Name || a[i].Index != b[i].Index || a[i].Digits == "" != (b[i].Digits == "") {
			return false
		}
	}
	return true
}

// operand compiles an assigned operand: a value, a path, a sum or a difference, or a function.
func (u updates) operand(n *Node) (expr.Term, error) {
	switch {
	case n.isLiteral():
		value, err := u.value(n, "root", 0)
		return u.Value(value), err
	case n.Kind == nodePath:
		path, err := n.path()
		return u.Path(path), err
	case n.Kind == nodeBinary && (n.Text == "+" || n.Text == "-"):
		operands, err := u.operands(n.Args)
		if err != nil {
			return 0, err
		}
		return u.Operator(n.Text, operands[0], operands[1]), nil
	case n.Kind == nodeCall && expr.IsUpdateFunction(n.functionName()):
		operands, err := u.operands(n.Args)
		return u.Function(n.functionName(), operands...), err
	case n.Kind == nodeCall:
		return 0, at(n.Pos, "Unrecognized function: %s", n.functionName())
	}
	// No recording has other expressions.
	return 0, at(n.Pos, "Unsupported data type: %s under key root", n.unsupportedName())
}

func (u updates) operands(nodes []*Node) ([]expr.Term, error) {
	terms := make([]expr.Term, len(nodes))
	for i, n := range nodes {
		var err error
		if terms[i], err = u.operand(n); err != nil {
			return nil, err
		}
	}
	return terms, nil
}
