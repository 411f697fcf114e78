package data

import (
	"bytes"
	"encoding/binary"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// span is a range of store keys; hi is exclusive.
type span struct{ lo, hi []byte }

// spanFor returns the span of a key condition.
func (s *source) spanFor(key *expr.KeyCondition) span {
	prefix := engine.AppendPartitionPrefix(make([]byte, 0, 128), s.id, key.Hash...)
	ranges := key.Ranges
	for len(ranges) > 0 && ranges[0].Op == expr.Equal {
		prefix = item.AppendKey(prefix, ranges[0].Low)
		ranges = ranges[1:]
	}
	whole := span{prefix, store.PrefixEnd(prefix)}
	if len(ranges) == 0 {
		return whole
	}
	last := ranges[0]
	// appendKey appends to a copy: append alone would write both bounds into the same memory.
	appendKey := func(v item.Value) []byte { return item.AppendKey(bytes.Clone(prefix), v) }
	low := appendKey(last.Low)
	switch last.Op {
	case expr.Less:
		return span{prefix, low}
	case expr.LessEqual:
		return span{prefix, store.PrefixEnd(low)}
	case expr.Greater:
		return span{store.PrefixEnd(low), whole.hi}
	case expr.GreaterEqual:
		return span{low, whole.hi}
	case expr.Between:
		return span{low, store.PrefixEnd(appendKey(last.High))}
	default: // BeginsWith
		begin := item.AppendKeyPrefix(prefix, last.Low)
		return span{begin, store.PrefixEnd(begin)}
	}
}

// Segment returns the i-th of n segments: the items whose hashes lie from i/n, inclusive, to (i+1)/n of all hashes.
func (s *source) Segment(i, n int64) span {
	lo, hi := engine.KeySpan(s.id)
	if i > 0 {
		lo = s.segmentStart(i, n)
	}
	if i+1 < n {
		hi = s.segmentStart(i+1, n)
	}
	return span{lo, hi}
}

func (s *source) segmentStart(i, n int64) []byte {
	return binary.BigEndian.AppendUint32(engine.AppendTablePrefix(nil, s.id), uint32(i<<32/n))
}

// contains reports whether the span contains a key.
func (s span) contains(key []byte) bool {
	return bytes.Compare(key, s.lo) >= 0 && bytes.Compare(key, s.hi) < 0
}

// startAfter narrows the span to what follows a key, in the direction of reading.
func (s *span) startAfter(key []byte, backward bool) {
	if backward {
		s.hi = key
		return
	}
	s.lo = append(key, 0)
}
