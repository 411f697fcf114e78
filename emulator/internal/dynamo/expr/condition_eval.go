package expr

import (
	"bytes"
	"unicode/utf8"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// test evaluates a condition. What an item does not have is nil, which is unlike everything, itself too.
func (t *tree) test(n *node, it item.Value) bool {
	switch n.op {
	case opAnd, opOr:
		return t.testEach(n, it)
	case opNot:
		return !t.test(&t.nodes[n.first], it)
	case opIn:
		return t.testIn(n, it)
	}
	a, b, c := t.operands(n)
	v := t.valueOf(a, it)
	switch n.op {
	case opExists:
		return v != nil
	case opNotExists:
		return v == nil
	case opType:
		return v != nil && v.Type().String() == string(b.value.Bytes())
	case opBeginsWith:
		return beginsWith(v, t.valueOf(b, it))
	case opContains:
		return contains(v, t.valueOf(b, it))
	case opNotContains:
		return v != nil && !contains(v, t.valueOf(b, it))
	case opBetween:
		return compare(opGreaterEqual, v, t.valueOf(b, it)) && compare(opLessEqual, v, t.valueOf(c, it))
	}
	return compare(n.op, v, t.valueOf(b, it))
}

// testEach evaluates the operands of AND or OR until one decides.
func (t *tree) testEach(n *node, it item.Value) bool {
	decisive := n.op == opOr
	for r := n.first; r != 0; r = t.nodes[r].next {
		if t.test(&t.nodes[r], it) == decisive {
			return decisive
		}
	}
	return !decisive
}

func (t *tree) testIn(n *node, it item.Value) bool {
	left := &t.nodes[n.first]
	v := t.valueOf(left, it)
	for r := left.next; r != 0; r = t.nodes[r].next {
		if compare(opEqual, v, t.valueOf(&t.nodes[r], it)) {
			return true
		}
	}
	return false
}

// valueOf is an operand's value, nil if it has none.
func (t *tree) valueOf(n *node, it item.Value) item.Value {
	switch n.op {
	case opValue:
		return n.value
	case opPath:
		return t.path(n.span).in(it)
	case opSize:
		return size(t.valueOf(&t.nodes[n.first], it))
	}
	return nil
}

// compare compares two values; those of different types are neither equal nor in any order.
func compare(o op, a, b item.Value) bool {
	switch o {
	case opEqual:
		return a != nil && b != nil && item.Equal(a, b)
	case opNotEqual:
		return a == nil || b == nil || !item.Equal(a, b)
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

// contains says whether v is a set or list with the element part, or a text or binary value with it inside.
func contains(v, part item.Value) bool {
	if part == nil {
		return false
	}
	if v.Type() == part.Type() && prefixed.has(v.Type()) {
		return bytes.Contains(v.Bytes(), part.Bytes())
	}
	return v.Contains(part)
}

// size is a number: UTF-16 units of a string (the service counts as Java does), bytes of a binary value,
// elements of anything that has elements; nil of the rest.
func size(v item.Value) item.Value {
	switch t := v.Type(); {
	case !sized.has(t):
		return nil
	case t == item.String:
		return item.NewInt(int64(utf16Len(v.Bytes())))
	case t == item.Binary:
		return item.NewInt(int64(len(v.Bytes())))
	}
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
