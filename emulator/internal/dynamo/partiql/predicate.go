package partiql

import (
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// Predicate is the part of a condition that can determine the keys that a statement reads or writes.
type Predicate struct {
	Op       PredicateOp
	Operands []*Predicate // of All and Any; of Other: the negated predicate, if any

	// Of Compare: the condition on one attribute.
	Attribute string
	Range     expr.Range
	Values    []item.Value
}

// PredicateOp is the kind of a Predicate.
type PredicateOp byte

// The kinds of predicates. OneOf is IN with Values; Other is any condition that determines no key.
const (
	All PredicateOp = iota + 1
	Any
	Compare
	OneOf
	Other
)

// predicate returns the predicate of a condition that has been compiled.
func (w conditions) predicate(n *Node) *Predicate {
	switch n.Kind {
	case nodeBinary:
		if n.Text == "AND" || n.Text == "OR" {
			p := &Predicate{Op: All}
			if n.Text == "OR" {
				p.Op = Any
			}
			for _, arg := range n.flatten() {
				p.Operands = append(p.Operands, w.predicate(arg))
			}
			return p
		}
		return w.comparison(n)
	case nodeBetween:
		return w.between(n)
	case nodeIn:
		return w.oneOf(n)
	case nodeUnary:
		return &Predicate{Op: Other, Operands: []*Predicate{w.predicate(n.Args[0])}}
	case nodeCall:
		if n.functionName() == "begins_with" && n.Args[0].isName() {
			if value := w.literals[n.Args[1]]; value != nil {
				return compare(n.Args[0], expr.Range{Op: expr.BeginsWith, Low: value})
			}
		}
	}
	return &Predicate{Op: Other}
}

func compare(name *Node, r expr.Range) *Predicate {
	return &Predicate{Op: Compare, Attribute: name.Steps[0].Name, Range: r}
}

var ranges = map[string]expr.RangeOp{"=": expr.Equal, "<": expr.Less, "<=": expr.LessEqual, ">": expr.Greater,
	">=": expr.GreaterEqual}

// mirrored are the operators that give the same result with exchanged operands.
var mirrored = map[string]string{"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

func (w conditions) comparison(n *Node) *Predicate {
	name, literal, operator := n.Args[0], n.Args[1], n.Text
	if literal.isName() {
		name, literal, operator = literal, name, mirrored[operator]
	}
	value := w.literals[literal]
	if !name.isName() || value == nil {
		return &Predicate{Op: Other}
	}
	if n.Text == "<>" {
		equal := compare(name, expr.Range{Op: expr.Equal, Low: value})
		return &Predicate{Op: Other, Operands: []*Predicate{equal}}
	}
	return compare(name, expr.Range{Op: ranges[operator], Low: value})
}

func (w conditions) between(n *Node) *Predicate {
	low, high := w.literals[n.Args[1]], w.literals[n.Args[2]]
	if !n.Args[0].isName() || low == nil || high == nil {
		return &Predicate{Op: Other}
	}
	return compare(n.Args[0], expr.Range{Op: expr.Between, Low: low, High: high})
}

// oneOf returns the predicate of IN. With one value it is an equality.
func (w conditions) oneOf(n *Node) *Predicate {
	var members []item.Value
	switch list := n.Args[1]; {
	case list.Kind == nodeList:
		for _, arg := range list.Args {
			members = append(members, w.literals[arg])
		}
	case w.literals[list].Type() == item.List && list.Kind == nodeParameter:
		members = slices.Collect(w.literals[list].Elements())
	default:
		members = []item.Value{w.literals[list]}
	}
	if !n.Args[0].isName() || len(members) == 0 || slices.ContainsFunc(members, func(v item.Value) bool {
		return v == nil
	}) {
		return &Predicate{Op: Other}
	}
	return &Predicate{Op: OneOf, Attribute: n.Args[0].Steps[0].Name, Values: members}
}

// Equalities returns the values that the top-level conditions of a WHERE clause compare attributes with by equality, by
// attribute. The key of an UPDATE or a DELETE must be among them.
func (p *Predicate) Equalities() map[string][]item.Value {
	found := map[string][]item.Value{}
	if p == nil {
		return found
	}
	top := []*Predicate{p}
	if p.Op == All {
		top = p.Operands
	}
	for _, q := range top {
		if q.Op == Compare && q.Range.Op == expr.Equal {
			found[q.Attribute] = append(found[q.Attribute], q.Range.Low)
		}
	}
	return found
}
