package expr

import (
	"bytes"
	"unicode/utf8"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// subject is an item that an expression is evaluated on.
type subject struct {
	item.Reader
	it item.Value
}

// test evaluates a condition. What an item does not have is nil, which is unlike everything, itself too. Once the
// budget is used up the answer means nothing.
func (t *tree) test(n *node, s *subject) bool {
	switch n.op {
	case opAnd, opOr:
		return t.testEach(n, s)
	case opNot:
		return !t.test(&t.nodes[n.first], s)
	case opIn:
		return t.testIn(n, s)
	}
	a, b, c := t.operands(n)
	v := t.valueOf(a, s)
	switch n.op {
	case opExists:
		return v != nil
	case opNotExists:
		return v == nil
	case opType:
		return v != nil && v.Type().String() == string(b.value.Bytes())
	case opBeginsWith:
		return beginsWith(v, t.valueOf(b, s))
	case opContains:
		return s.contains(v, t.valueOf(b, s))
	case opNotContains:
		return v != nil && !s.contains(v, t.valueOf(b, s))
	case opBetween:
		return s.compare(opGreaterEqual, v, t.valueOf(b, s)) && s.compare(opLessEqual, v, t.valueOf(c, s))
	}
	return s.compare(n.op, v, t.valueOf(b, s))
}

// testEach evaluates the operands of AND or OR until one decides.
func (t *tree) testEach(n *node, s *subject) bool {
	decisive := n.op == opOr
	for r := n.first; r != 0 && s.Step(1); r = t.nodes[r].next {
		if t.test(&t.nodes[r], s) == decisive {
			return decisive
		}
	}
	return !decisive
}

func (t *tree) testIn(n *node, s *subject) bool {
	left := &t.nodes[n.first]
	v := t.valueOf(left, s)
	for r := left.next; r != 0 && s.Step(1); r = t.nodes[r].next {
		if s.compare(opEqual, v, t.valueOf(&t.nodes[r], s)) {
			return true
		}
	}
	return false
}

// valueOf is an operand's value, nil if it has none.
func (t *tree) valueOf(n *node, s *subject) item.Value {
	switch n.op {
	case opValue:
		return n.value
	case opPath:
		return t.path(n.span).in(&s.Reader, s.it)
	case opSize:
		return s.size(t.valueOf(&t.nodes[n.first], s))
	}
	return nil
}

// compare compares two values; those of different types are neither equal nor in any order.
func (s *subject) compare(o op, a, b item.Value) bool {
	switch o {
	case opEqual:
		return a != nil && b != nil && s.Equal(a, b)
	case opNotEqual:
		return a == nil || b == nil || !s.Equal(a, b)
	}
	if a.Type() != b.Type() || !ordered.has(a.Type()) {
		return false
	}
	order := item.Compare(a, b)
	switch o {
	case opLess:
		return order < 0
	case opLessEqual:
		return order <= 0
	case opGreater:
		return order > 0
	}
	return order >= 0
}

func beginsWith(v, prefix item.Value) bool {
	return v.Type() == prefix.Type() && prefixed.has(v.Type()) && bytes.HasPrefix(v.Bytes(), prefix.Bytes())
}

// bytesPerStep is how many bytes of text count as one step of a budget.
const bytesPerStep = 16

// contains says whether v is a set or list with the element part, or a text or binary value with it inside.
func (s *subject) contains(v, part item.Value) bool {
	if part == nil {
		return false
	}
	if v.Type() == part.Type() && prefixed.has(v.Type()) {
		s.Step(len(v) / bytesPerStep)
		return bytes.Contains(v.Bytes(), part.Bytes())
	}
	return s.Contains(v, part)
}

// size is a number: UTF-16 units of a string (the service counts as Java does), bytes of a binary value,
// elements of anything that has elements; nil of the rest.
func (s *subject) size(v item.Value) item.Value {
	switch t := v.Type(); {
	case !sized.has(t):
		return nil
	case t == item.String:
		s.Step(len(v) / bytesPerStep)
		return item.NewInt(int64(utf16Len(v.Bytes())))
	case t == item.Binary:
		return item.NewInt(int64(len(v.Bytes())))
	}
	s.Step(len(v) / bytesPerStep)
	return item.NewInt(int64(v.Len()))
}

func utf16Len(text []byte) (n int) {
	for len(text) > 0 {
		r, width := utf8.DecodeRune(text)
		text = text[width:]
		if n++; r > 0xffff {
			n++
		}
	}
	return n
}
