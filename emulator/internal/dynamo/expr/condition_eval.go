package expr

import (
	"bytes"
	"unicode/utf8"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// subject is the item on which an expression is evaluated.
type subject struct {
	item.Reader
	it item.Value
}

// test evaluates a condition. A missing value is nil, which does not equal anything, not even itself. If the budget is
// exhausted, the result is meaningless.
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

// testEach evaluates the operands of AND or OR until one of them decides.
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

// valueOf returns an operand's value, nil if it has none.
func (t *tree) valueOf(n *node, s *subject) item.Value {
	switch n.op {
	case opValue:
		return n.value
	case opPath:
		return t.path(n.span).in(&s.Reader, s.it)
	case opSize:
		return s.size(t.valueOf(&t.nodes[n.first], s))
	case opTruth:
		return item.NewBool(t.test(&t.nodes[n.first], s))
	}
	return nil
}

// compare compares two values. Values of different types are neither equal nor ordered.
func (s *subject) compare(o op, a, b item.Value) bool {
	switch o {
	case opEqual:
		return a != nil && b != nil && s.Equal(a, b)
	case opNotEqual:
		return a == nil || b == nil || !s.Equal(a, b)
	}
	if a.Type() != b.Type() || !ordered.contains(a.Type()) {
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
	return v.Type() == prefix.Type() && prefixed.contains(v.Type()) && bytes.HasPrefix(v.Bytes(), prefix.Bytes())
}

// bytesPerStep is how many bytes of text count as one budget step.
const bytesPerStep = 16

// contains reports whether part is an element of v, a set or a list, or a substring of v, a string or a binary.
func (s *subject) contains(v, part item.Value) bool {
	if part == nil {
		return false
	}
	if v.Type() == part.Type() && prefixed.contains(v.Type()) {
		s.Step(len(v) / bytesPerStep)
		return bytes.Contains(v.Bytes(), part.Bytes())
	}
	return s.Contains(v, part)
}

// size returns the size of a value as a number: UTF-16 units of a string, as the service counts in Java; bytes of a
// binary; elements of a set, a list or a map; nil for other types.
func (s *subject) size(v item.Value) item.Value {
	switch t := v.Type(); {
	case !sized.contains(t):
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
