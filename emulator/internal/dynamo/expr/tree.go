package expr

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// op is the operation of a node.
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
	opNotContains // legacy parameters only
	opTruth       // a condition as an operand; only from a Builder

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

// function describes a function.
type function struct {
	name     string
	op       op
	operands int
	test     bool // it is a condition; otherwise it is an operand
	update   bool // it belongs to update expressions; otherwise to conditions
}

// The functions. Their names are case-sensitive.
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

// functionNamed returns the function with that name, nil if there is none.
func functionNamed(name string) *function {
	for i := range functions {
		if functions[i].name == name {
			return &functions[i]
		}
	}
	return nil
}

// ref is the position of a node in its tree; 0 means none.
type ref int32

// node is an operator, a function, a path or a value. Its operands are a linked list: first, then each one's next.
type node struct {
	op          op
	first, next ref
	text        string     // of an operator or function: as written; of a value: its placeholder
	span        span       // of opPath
	value       item.Value // of opValue
}

// span is the range of a path's steps in the tree.
type span struct{ from, to int32 }

// tree is a parsed expression. Its nodes are in one slice and the steps of its paths in another, so that parsing an
// expression of usual size allocates only the tree.
type tree struct {
	nodes []node
	steps []Step
	root  ref

	firstNodes [9]node
	firstSteps [4]Step
}

// init initializes the tree, which must not be moved afterwards. Node 0 stays unused.
func (t *tree) init() {
	t.nodes = t.firstNodes[:1]
	t.steps = t.firstSteps[:0]
}

// path returns the path at s. It shares the tree's steps.
func (t *tree) path(s span) Path { return t.steps[s.from:s.to:s.to] }

// addAttribute adds a path of one attribute name.
func (t *tree) addAttribute(name string) ref {
	t.steps = append(t.steps, Step{Name: name})
	n := int32(len(t.steps))
	return t.add(node{op: opPath, span: span{n - 1, n}})
}

func (t *tree) add(n node) ref {
	t.nodes = append(t.nodes, n)
	return ref(len(t.nodes) - 1)
}

// join adds an operator with its operands.
func (t *tree) join(n node, operands ...ref) ref {
	for i := len(operands) - 1; i > 0; i-- {
		t.nodes[operands[i-1]].next = operands[i]
	}
	n.first = operands[0]
	return t.add(n)
}

// operands returns the first three operands of a node; missing ones are empty nodes.
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

// HasNestedPath reports whether a path of the expression leads into an attribute.
func (t *tree) HasNestedPath() bool {
	for i := range t.nodes {
		if n := &t.nodes[i]; n.op == opPath && n.span.to-n.span.from > 1 {
			return true
		}
	}
	return false
}

// paths calls yield with every path of the tree until it returns false.
func (t *tree) paths(yield func(Path) bool) {
	for i := range t.nodes {
		if n := &t.nodes[i]; n.op == opPath && !yield(t.path(n.span)) {
			return
		}
	}
}
