package data

import (
	"bytes"
	"encoding/binary"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// span is a range of keys in the store, hi not included.
type span struct{ lo, hi []byte }

// spanOf is where the items are that a key condition is about.
func (s *source) spanOf(key *expr.KeyCondition) span {
	partition := engine.AppendPartition(make([]byte, 0, 128), s.id, key.Partition)
	whole := span{partition, store.PrefixEnd(partition)}
	if key.Sort.Op == expr.All {
		return whole
	}
	// with appends to a copy: append alone would write both bounds into the same memory
	with := func(v item.Value) []byte { return item.AppendKey(bytes.Clone(partition), v) }
	low := with(key.Sort.Low)
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
		return span{low, store.PrefixEnd(with(key.Sort.High))}
	default: // BeginsWith
		prefix := item.AppendKeyPrefix(partition, key.Sort.Low)
		return span{prefix, store.PrefixEnd(prefix)}
	}
}

// Segment is the i-th of n segments: those items whose hashes begin at i/n of all hashes and end before i+1/n.
func (s *source) Segment(i, n int64) span {
	lo, hi := engine.SpaceOf(s.id)
	if i > 0 {
		lo = s.hashFrom(i, n)
	}
	if i+1 < n {
		hi = s.hashFrom(i+1, n)
	}
	return span{lo, hi}
}

func (s *source) hashFrom(i, n int64) []byte {
	return binary.BigEndian.AppendUint32(engine.AppendSpace(nil, s.id), uint32(i<<32/n))
}

// has says whether a key is in the span.
func (s span) has(key []byte) bool {
	return bytes.Compare(key, s.lo) >= 0 && bytes.Compare(key, s.hi) < 0
}

// startAfter leaves of the span what comes after a key, in the direction of reading.
func (s *span) startAfter(key []byte, backward bool) {
	if backward {
		s.hi = key
		return
	}
	s.lo = append(key, 0)
}
