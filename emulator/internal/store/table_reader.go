package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"math/big"
	"path/filepath"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// version is one version of a key, in a sorted table or in a log. Of the versions of one key the one with the highest
// sequence number is current. A version is valid until the function that received it returns.
type version struct {
	key, value []byte
	sequence   uint64
	kind       pebble.InternalKeyKind
}

// hash identifies a version within a table.
func (v *version) hash() uint64 {
	h := fnv.New64a()
	_, _ = h.Write(v.key)
	_, _ = h.Write(binary.BigEndian.AppendUint64(nil, v.sequence))
	return h.Sum64()
}

// keyRange is the range between two keys, both of which were read.
type keyRange struct{ from, to []byte }

// openTable opens a sorted table of a folder without its database. files decrypts.
func openTable(files vfs.FS, data string, number uint64) (r *sstable.Reader, err error) {
	f, err := files.Open(filepath.Join(data, tableName(number)))
	if err != nil {
		return nil, err
	}
	readable, err := sstable.NewSimpleReadable(f)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	opts := &pebble.Options{}
	opts.EnsureDefaults()
	if r, err = sstable.NewReader(context.Background(), readable, opts.MakeReaderOptions()); err != nil {
		return nil, errors.Join(err, readable.Close())
	}
	return r, nil
}

// salvageProbes limits how often a gap in a table is halved to find what can be read in it. Each read of a damaged
// block takes Pebble 10 ms, in which it looks for a flipped bit.
const salvageProbes = 4

// entriesOf returns the number of versions in a table, or -1 if it cannot be read.
func entriesOf(r *sstable.Reader) int64 {
	properties, err := r.ReadPropertiesBlock(context.Background(), nil)
	if err != nil {
		return -1
	}
	return int64(properties.NumEntries)
}

// readTable calls fn with every version of a table that can be read, and returns the ranges that cannot.
func readTable(r *sstable.Reader, fn func(version) error) (gaps []keyRange, err error) {
	it, err := r.NewIter(sstable.NoTransforms, nil, nil, sstable.AssertNoBlobHandles)
	if err != nil {
		return []keyRange{{}}, nil // without the index no block can be found
	}
	kv := it.First()
	s := &tableScan{fn: fn, failed: func() bool { return it.Error() != nil }}
	s.next = func() bool { kv = it.Next(); return kv != nil }
	s.prev = func() bool { kv = it.Prev(); return kv != nil }
	s.seek = func(key []byte) bool { kv = it.SeekGE(key, 0); return kv != nil }
	s.seekBelow = func(key []byte) bool { kv = it.SeekLT(key, 0); return kv != nil }
	s.read = func() (version, error) {
		value, _, err := kv.Value(nil)
		return version{kv.K.UserKey, value, uint64(kv.K.SeqNum()), kv.K.Kind()}, err
	}
	last := s.forward(kv != nil, nil)
	if s.failed() && s.err == nil {
		kv = it.Last()
		s.fill(last, s.backward(kv != nil, last), salvageProbes)
	}
	_ = it.Close() // its error is that of the last gap
	return mergeRanges(s.gaps), s.err
}

// mergeRanges merges gaps of which one ends where the next begins.
func mergeRanges(gaps []keyRange) (all []keyRange) {
	for _, gap := range gaps {
		if n := len(all); n > 0 && gap.from != nil && bytes.Equal(all[n-1].to, gap.from) {
			all[n-1].to = gap.to
		} else {
			all = append(all, gap)
		}
	}
	return all
}

// tableScan reads around blocks that cannot be read. Its functions are those of a Pebble iterator, whose element type
// only Pebble can name.
type tableScan struct {
	next, prev      func() bool
	seek, seekBelow func(key []byte) bool
	failed          func() bool
	read            func() (version, error)

	fn   func(version) error
	gaps []keyRange
	err  error // of fn
}

// visit passes the iterator's current version to fn and returns its key.
func (s *tableScan) visit() (key []byte) {
	v, err := s.read()
	if err == nil && s.err == nil {
		s.err = s.fn(v)
	}
	return v.key
}

// forward reads up to end, or to the last key if end is nil, and returns the last key that it read.
func (s *tableScan) forward(ok bool, end []byte) (last []byte) {
	for ; ok && s.err == nil; ok = s.next() {
		key := s.visit()
		if end != nil && bytes.Compare(key, end) >= 0 {
			break
		}
		last = append(last[:0], key...)
	}
	return last
}

// backward reads down to start and returns the first key that it read.
func (s *tableScan) backward(ok bool, start []byte) (first []byte) {
	for ; ok && s.err == nil; ok = s.prev() {
		key := s.visit()
		if bytes.Compare(key, start) <= 0 {
			break
		}
		first = append(first[:0], key...)
	}
	return first
}

// fill reads what can be read between two keys, starting in the middle of the gap. A nil to is the end of the table.
func (s *tableScan) fill(from, to []byte, probes int) {
	middle := between(from, to)
	if probes == 0 || to == nil || middle == nil || s.err != nil {
		s.gaps = append(s.gaps, keyRange{bytes.Clone(from), bytes.Clone(to)})
		return
	}
	last := s.forward(s.seek(middle), to)
	whole := !s.failed()
	first := s.backward(s.seekBelow(middle), from)
	wholeBelow := !s.failed()
	if first == nil {
		first = middle
	}
	if last == nil {
		last = middle
	}
	if !wholeBelow {
		s.fill(from, first, probes-1)
	}
	if !whole {
		s.fill(last, to, probes-1)
	}
}

// between returns a key halfway between two, or nil if there is none.
func between(from, to []byte) []byte {
	size := max(len(from), len(to)) + 1
	number := func(key []byte) *big.Int {
		return new(big.Int).SetBytes(append(bytes.Clone(key), make([]byte, size-len(key))...))
	}
	sum := new(big.Int).Add(number(from), number(to))
	middle := sum.Rsh(sum, 1).FillBytes(make([]byte, size))
	if bytes.Compare(middle, from) <= 0 || bytes.Compare(middle, to) >= 0 {
		return nil
	}
	return middle
}

// rangeDeletions returns the range deletions in a table.
func rangeDeletions(r *sstable.Reader) (all []rangeDeletion, err error) {
	it, err := r.NewRawRangeDelIter(context.Background(), sstable.NoFragmentTransforms, sstable.NoReadEnv)
	if err != nil || it == nil {
		return nil, err
	}
	defer it.Close()
	span, err := it.First()
	for ; span != nil; span, err = it.Next() {
		for _, key := range span.Keys {
			all = append(all, rangeDeletion{keyRange{bytes.Clone(span.Start), bytes.Clone(span.End)}, uint64(key.SeqNum())})
		}
	}
	return all, err
}

// rangeDeletion deletes all older versions of the keys in a range.
type rangeDeletion struct {
	keyRange
	sequence uint64
}

func (d *rangeDeletion) deletes(v version) bool {
	return v.sequence < d.sequence && bytes.Compare(d.from, v.key) <= 0 && bytes.Compare(v.key, d.to) < 0
}
