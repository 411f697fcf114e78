package expr

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// op is what a node of an expression does.
type op byte

const (
	opNone op = iota
	opPath
	opValue

	opAnd
	opOr
	opNot
	opEqual
	opNotEqual
	opLess
	opLessEqual
	opGreater
	opGreaterEqual
	opBetween
	opIn
	opNotContains // of the legacy parameters only

	opExists
	opNotExists
	opType
	opBeginsWith
	opContains
	opSize

	opIfNotExists
	opListAppend
	opPlus
	opMinus

	opUnknownFunction
)

// function is what is known of one before its operands are.
type function struct {
	name     string
	op       op
	operands int
	test     bool // it is a condition by itself; else it is an operand
	update   bool // it belongs to update expressions; else to conditions
}

// The functions, whose names have no other case.
var functions = [...]function{
	{"attribute_exists", opExists, 1, true, false},
	{"attribute_not_exists", opNotExists, 1, true, false},
	{"attribute_type", opType, 2, true, false},
	{"begins_with", opBeginsWith, 2, true, false},
	{"contains", opContains, 2, true, false},
	{"size", opSize, 1, false, false},
	{"if_not_exists", opIfNotExists, 2, false, true},
	{"list_append", opListAppend, 2, false, true},
}

// functionNamed is nil where there is none of the name.
func functionNamed(name string) *function {
	for i := range functions {
		if functions[i].name == name {
			return &functions[i]
		}
	}
	return nil
}

// ref is a node's place in its tree; 0 is none.
type ref int32

// node is one operator, function, path or value. Its operands are a list: first, and then each one's next.
type node struct {
	op          op
	first, next ref
	text        string     // of an operator or function: as it was written; of a value: its placeholder
	span        span       // of opPath
	value       item.Value // of opValue
}

// span is where the steps of a path are.
type span struct{ from, to int32 }

// tree is a parsed expression: its nodes in one slice, the steps of its paths in another, so that parsing
// an expression of the usual size allocates nothing but the tree.
type tree struct {
	nodes []node
	steps []Step
	root  ref

	firstNodes [9]node
	firstSteps [4]Step
}

// init makes the tree ready; it must not be moved from then on. Node 0 stays unused.
func (t *tree) init() {
	t.nodes = t.firstNodes[:1]
	t.steps = t.firstSteps[:0]
}

// path is the path that is there; it shares the tree's steps.
func (t *tree) path(s span) Path { return t.steps[s.from:s.to:s.to] }

// addAttribute adds the path that is one name.
func (t *tree) addAttribute(name string) ref {
	t.steps = append(t.steps, Step{Name: name})
	n := int32(len(t.steps))
	return t.add(node{op: opPath, span: span{n - 1, n}})
}

func (t *tree) add(n node) ref {
	t.nodes = append(t.nodes, n)
	return ref(len(t.nodes) - 1)
}

// join gives an operator its operands.
func (t *tree) join(n node, operands ...ref) ref {
	for i := len(operands) - 1; i > 0; i-- {
		t.nodes[operands[i-1]].next = operands[i]
	}
	n.first = operands[0]
	return t.add(n)
}

// operands are the first three of a node; those that it does not have are empty nodes.
func (t *tree) operands(n *node) (a, b, c *node) {
	a = &t.nodes[n.first]
	b = &t.nodes[a.next]
	return a, b, &t.nodes[b.next]
}

func (t *tree) countOperands(n *node) int {
	count := 0
	for r := n.first; r != 0; r = t.nodes[r].next {
		count++
	}
	return count
}

// paths calls yield with every path of the tree until it answers false.
func (t *tree) paths(yield func(Path) bool) {
	for i := range t.nodes {
		if n := &t.nodes[i]; n.op == opPath && !yield(t.path(n.span)) {
			return
		}
	}
}
