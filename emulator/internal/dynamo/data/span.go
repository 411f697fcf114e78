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
	partition := engine.AppendPartitionPrefix(make([]byte, 0, 128), s.id, key.Partition)
	whole := span{partition, store.PrefixEnd(partition)}
	if key.Sort.Op == expr.All {
		return whole
	}
	// appendSort appends to a copy: append alone would write both bounds into the same memory.
	appendSort := func(v item.Value) []byte { return item.AppendKey(bytes.Clone(partition), v) }
	low := appendSort(key.Sort.Low)
	switch key.Sort.Op {
	case expr.Equal:
		return span{low, store.PrefixEnd(low)}
	case expr.Less:
		return span{partition, low}
	case expr.LessEqual:
		return span{partition, store.PrefixEnd(low)}
	case expr.Greater:
		return span{store.PrefixEnd(low), whole.hi}
	case expr.GreaterEqual:
		return span{low, whole.hi}
	case expr.Between:
		return span{low, store.PrefixEnd(appendSort(key.Sort.High))}
	default: // BeginsWith
		prefix := item.AppendKeyPrefix(partition, key.Sort.Low)
		return span{prefix, store.PrefixEnd(prefix)}
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
