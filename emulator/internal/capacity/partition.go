package capacity

import (
	"bytes"
	"encoding/binary"
	"slices"
	"time"

	"github.com/tabletop-db/tabletop/internal/model/heatmap"
)

// partition is a range of keys, from lo up to the next partition's lo. It has the service's maximum units per second of
// its own, but no fixed share of the table's capacity: adaptive capacity gives it, at once, whatever the table has left
// ("DynamoDB burst and adaptive capacity").
type partition struct {
	id, parent uint32
	lo         []byte // nil for the first
	hash       uint64 // the hash with which lo begins
	created    int64
	bytes      int64
	buckets    [2]bucket

	// In the current minute.
	units      [2]float64
	throttled  uint32
	nextSample [2]float64

	hotFor  int // consecutive minutes
	samples []sample
	sampled int // since the beginning
}

// Partitions returns the partitions in the order of their ranges. A split replaces a partition by two new ones, whose
// Parent is its ID.
func (r *Resource) Partitions(now time.Time) []heatmap.Partition {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.roll(now.UnixNano())
	return r.list()
}

func (r *Resource) list() []heatmap.Partition {
	all := make([]heatmap.Partition, len(r.partitions))
	for i, p := range r.partitions {
		all[i] = heatmap.Partition{ID: p.id, Parent: p.parent, Lo: bytes.Clone(p.lo), Hi: bytes.Clone(r.hi(i)),
			Created: time.Unix(0, p.created).UTC(), Bytes: p.bytes}
	}
	return all
}

// hi returns the end of partition i, nil for the last.
func (r *Resource) hi(i int) []byte {
	if i+1 < len(r.partitions) {
		return r.partitions[i+1].lo
	}
	return nil
}

func (r *Resource) newPartition(parent uint32, lo []byte, now int64) *partition {
	r.nextID++
	p := &partition{id: r.nextID, parent: parent, lo: lo, hash: hashOf(lo), created: now, nextSample: samplesEvery()}
	p.buckets[read].set(now, partitionReads, 1)
	p.buckets[write].set(now, partitionWrites, 1)
	return p
}

// firstPartitions divides all hashes into n equal ranges.
func (r *Resource) firstPartitions(n int, now int64) {
	for i := range n {
		var lo []byte
		if i > 0 {
			lo = binary.BigEndian.AppendUint32(nil, uint32(uint64(i)<<32/uint64(n)))
		}
		r.partitions = append(r.partitions, r.newPartition(0, lo, now))
	}
}

// find returns the partition of a key.
func (r *Resource) find(key []byte) *partition { return r.partitions[r.index(key)] }

func (r *Resource) index(key []byte) int {
	hash := hashOf(key)
	lo, hi := 0, len(r.partitions)-1
	for lo < hi {
		mid := (lo + hi + 1) / 2
		p := r.partitions[mid]
		if p.hash < hash || p.hash == hash && bytes.Compare(p.lo, key) <= 0 {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return lo
}

// splitBefore splits the partition of a key right before the key. It reports whether it did.
func (r *Resource) splitBefore(key []byte, now int64) bool {
	i := r.index(key)
	p := r.partitions[i]
	if bytes.Equal(p.lo, key) || len(r.partitions) >= maxPartitions {
		return false
	}
	left, right := r.newPartition(p.id, p.lo, now), r.newPartition(p.id, bytes.Clone(key), now)
	left.bytes, right.bytes = p.bytes-p.bytes/2, p.bytes/2
	r.partitions = slices.Replace(r.partitions, i, i+1, left, right)
	return true
}

// width returns the number of hashes in a partition's range.
func (r *Resource) width(i int) uint64 {
	hi := uint64(1) << 32
	if end := r.hi(i); end != nil {
		hi = hashOf(end)
	}
	return hi - r.partitions[i].hash
}

// hashOf returns the hash with which a key begins.
func hashOf(key []byte) uint64 {
	if len(key) >= 4 {
		return uint64(binary.BigEndian.Uint32(key))
	}
	var hash [4]byte
	copy(hash[:], key)
	return uint64(binary.BigEndian.Uint32(hash[:]))
}

// halve splits partition i at the middle of its hashes. It reports whether it did.
func (r *Resource) halve(i int, now int64) bool {
	w := r.width(i)
	if w < 2 {
		return false
	}
	return r.splitBefore(binary.BigEndian.AppendUint32(nil, uint32(r.partitions[i].hash+w/2)), now)
}

// widest returns the partition with the most hashes.
func (r *Resource) widest() int {
	at, most := 0, uint64(0)
	for i := range r.partitions {
		if w := r.width(i); w > most {
			at, most = i, w
		}
	}
	return at
}

// Grow records a change of the stored size at a key, in bytes. It splits a partition that becomes too large: at the
// middle of its hashes or, if it has only one hash, at the key, within the item collection, which a local secondary
// index forbids. Grow does not retain the key.
func (r *Resource) Grow(key []byte, by int64) {
	if by == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.find(key)
	p.bytes = max(0, p.bytes+by)
	if p.bytes <= partitionBytes {
		return
	}
	now := r.minute * minute
	if !r.halve(r.index(key), now) && !r.config.LocalIndexes {
		r.splitBefore(key, now)
	}
}
