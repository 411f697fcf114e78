package expr

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"

// maxInOperands is the maximum number of operands to the right of IN.
const maxInOperands = 100

// checkOperands returns an error for operands that do not fit their operator or function, as far as the request shows.
func (r resolver) checkOperands(n *node) error {
	switch n.op {
	case opAnd, opOr, opNot:
		return nil
	case opPlus, opMinus:
		return r.checkTypes(n, number)
	}
	if err := r.checkCount(n); err != nil {
		return err
	}
	switch n.op {
	case opLess, opLessEqual, opGreater, opGreaterEqual, opBetween:
		if err := r.checkTypes(n, ordered); err != nil {
			return err
		}
	}
	if err := r.checkDistinct(n); err != nil {
		return err
	}
	switch n.op {
	case opBetween:
		return r.checkBounds(n)
	case opBeginsWith:
		return r.checkTypes(n, prefixed)
	case opType:
		return r.checkTypeName(n)
	case opSize:
		return r.checkTypes(n, sized)
	case opListAppend:
		return r.checkTypes(n, list)
	}
	return nil
}

// typeSet is a set of types.
type typeSet uint16

func typesOf(all ...item.Type) (s typeSet) {
	for _, t := range all {
		s |= 1 << t
	}
	return s
}

func (s typeSet) contains(t item.Type) bool { return s&(1<<t) != 0 }

// The types that operators and functions accept. They accept any path, whose type the item decides.
var (
	ordered  = typesOf(item.String, item.Number, item.Binary)
	prefixed = typesOf(item.String, item.Binary)
	sized    = typesOf(item.String, item.Binary, item.StringSet, item.NumberSet, item.BinarySet, item.List, item.Map)
	number   = typesOf(item.Number)
	list     = typesOf(item.List)
)

// typeOf returns the type of an operand, 0 if the item decides it.
func typeOf(n *node) item.Type {
	switch n.op {
	case opValue:
		return n.value.Type()
	case opSize, opPlus, opMinus:
		return item.Number
	case opListAppend:
		return item.List
	case opTruth:
		return item.Bool
	}
	return 0
}

func (r resolver) checkTypes(n *node, allowed typeSet) error {
	for o := n.first; o != 0; o = r.nodes[o].next {
		if t := typeOf(&r.nodes[o]); t != 0 && !allowed.contains(t) {
			return r.operandTypeError(n, t.String())
		}
	}
	return nil
}

func (r resolver) operandTypeError(n *node, found string) error {
	return r.param.invalidf("Incorrect operand type for operator or function; operator or function: %s, "+
		"operand type: %s", n.text, found)
}

// checkCount checks the number of a function's operands, and that the first one is a path if it must be.
func (r resolver) checkCount(n *node) error {
	if n.op == opIn {
		if c := r.countOperands(n) - 1; c > maxInOperands {
			return r.param.invalidf("The IN operator is provided with too many operands; number of operands: %d", c)
		}
	}
	if n.op < opExists {
		return nil
	}
	f := functionNamed(n.text)
	if c := r.countOperands(n); c != f.operands {
		return r.param.invalidf("Incorrect number of operands for operator or function; "+
			"operator or function: %s, number of operands: %d", n.text, c)
	}
	needsPath := n.op == opExists || n.op == opNotExists || n.op == opIfNotExists
	if needsPath && r.nodes[n.first].op != opPath {
		return r.param.invalidf("Operator or function requires a document path; operator or function: %s", n.text)
	}
	return nil
}

// checkDistinct returns an error for a path that is compared with itself.
func (r resolver) checkDistinct(n *node) error {
	first := &r.nodes[n.first]
	if first.op != opPath || n.op == opListAppend {
		return nil
	}
	path := r.path(first.span)
	for o := first.next; o != 0; o = r.nodes[o].next {
		if equalPaths(path, r.path(r.nodes[o].span)) {
			return r.param.invalidf("The first operand must be distinct from the remaining operands for this "+
				"operator or function; operator: %s, first operand: %s", n.text, path)
		}
	}
	return nil
}

// checkBounds checks the bounds of BETWEEN if both are values in the request.
func (r resolver) checkBounds(n *node) error {
	_, low, high := r.operands(n)
	if low.op != opValue || high.op != opValue {
		return nil
	}
	requirement := ""
	switch {
	case low.value.Type() != high.value.Type():
		requirement = "same data type for lower and upper bounds"
	case item.Compare(low.value, high.value) > 0:
		requirement = "upper bound to be greater than or equal to lower bound"
	default:
		return nil
	}
	return r.param.invalidf("The BETWEEN operator requires %s; lower bound operand: %s, upper bound operand: %s",
		requirement, describe(low.value), describe(high.value))
}

// checkTypeName checks the type name of attribute_type. The service lists the types in hash-table order; these are the
// orders that dynalite recorded.
func (r resolver) checkTypeName(n *node) error {
	_, name, _ := r.operands(n)
	switch t := typeOf(name); t {
	case item.String:
	case 0:
		return r.operandTypeError(n, "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}")
	default:
		return r.operandTypeError(n, t.String())
	}
	if typeNamed(string(name.value.Bytes())) == 0 {
		validTypes := "{B,NULL,SS,BOOL,L,BS,N,NS,S,M}"
		if r.param == "" { // PartiQL (nubo-db/dynoxide, captures of 2026-10)
			validTypes = "{N,BS,L,B,NULL,M,S,SS,NS,BOOL}"
		}
		return r.param.invalidf("Invalid attribute type name found; type: %s, valid types: %s",
			name.value.Bytes(), validTypes)
	}
	return nil
}

// typeNamed returns the type with that descriptor, 0 if there is none.
func typeNamed(name string) item.Type {
	for t := item.String; t <= item.Null; t++ {
		if t.String() == name {
			return t
		}
	}
	return 0
}
