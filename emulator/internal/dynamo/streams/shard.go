package streams

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"slices"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
)

// ShardLifetime is how long a shard takes records before a child shard replaces it ("Change data capture for DynamoDB
// Streams": about four hours).
const ShardLifetime = 4 * time.Hour

// Partitioning is the division of a table's keys into partitions from a position on.
type Partitioning struct {
	From changelog.Position
	// Bounds are the first keys of the partitions, without the prefix that all keys of the table share; the first one
	// is empty.
	Bounds [][]byte
}

// Shard is the records of a range of keys and a range of positions.
type Shard struct {
	ID, Parent string             // Parent is empty for the first shards of a stream
	timestamp  int64              // the time in the id, in milliseconds
	Lo, Hi     []byte             // range of keys; Hi is exclusive, and unbounded if empty
	From, To   changelog.Position // both inclusive; To is 0 while the shard is open
}

// contains reports whether records of the item with that key belong to the shard.
func (s *Shard) contains(key []byte) bool {
	return bytes.Compare(key, s.Lo) >= 0 && (len(s.Hi) == 0 || bytes.Compare(key, s.Hi) < 0)
}

// currentPosition returns the current position, whose shards are open: every later change is at or after it.
func currentPosition(e *engine.Engine, st *Stream) changelog.Position {
	return max(st.Log.Tip(), changelog.At(e.Clock.Now()))
}

// Shards returns the shards that have, or may get, readable records, sorted by id, which is the order of their
// beginning. They are a function of the stream's start, the table's partitionings and the time: no event is needed to
// end a shard.
func (st *Stream) Shards(now, horizon changelog.Position) []Shard {
	r := &ShardBuilder{Stream: st, Next: st.Start + changelog.Position(ShardLifetime), Horizon: horizon}
	until := now
	if st.End != 0 {
		until = st.End - 1
	}
	for _, p := range st.Partitioning {
		r.RollUntil(p.From)
		r.Repartition(p)
	}
	r.RollUntil(until)
	if st.End != 0 {
		r.closeAll(st.End - 1)
	}
	all := slices.DeleteFunc(append(r.Closed, r.Open...), func(s Shard) bool { return s.To != 0 && s.To < horizon })
	slices.SortFunc(all, func(a, b Shard) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// ShardBuilder computes a stream's shards over its lifetime.
type ShardBuilder struct {
	Stream       *Stream
	Open, Closed []Shard
	Next         changelog.Position // when the open shards end
	Horizon      changelog.Position // shards that ended before are left out
}

// RollUntil replaces the open shards by child shards every ShardLifetime, up to a position.
func (r *ShardBuilder) RollUntil(until changelog.Position) {
	r.skipToHorizon(min(until, r.Horizon))
	for ; r.Next <= until; r.Next += changelog.Position(ShardLifetime) {
		parents := r.Open
		r.closeAll(r.Next - 1)
		for _, parent := range parents {
			r.openShard(Shard{Lo: parent.Lo, Hi: parent.Hi, From: r.Next}, &parent)
		}
	}
}

// skipToHorizon skips whole generations of shards up to the horizon, in constant time however many years that is.
// Nobody sees the skipped shards, so the new open shards have no parents.
func (r *ShardBuilder) skipToHorizon(to changelog.Position) {
	if to < r.Next {
		return
	}
	rolls := (to - r.Next) / changelog.Position(ShardLifetime)
	if rolls == 0 {
		return
	}
	previous := r.Open
	r.Open, r.Next = nil, r.Next+rolls*changelog.Position(ShardLifetime)
	for _, s := range previous {
		r.openShard(Shard{Lo: s.Lo, Hi: s.Hi, From: r.Next - changelog.Position(ShardLifetime)}, &Shard{})
	}
}

// closeAll closes the open shards at a position.
func (r *ShardBuilder) closeAll(to changelog.Position) {
	for _, s := range r.Open {
		s.To = to
		r.Closed = append(r.Closed, s)
	}
	r.Open = nil
}

// Repartition replaces the open shards by those of a partitioning. Shards whose range is unchanged stay open.
func (r *ShardBuilder) Repartition(p Partitioning) {
	previous := r.Open
	r.Open = nil
	unchanged := make([]bool, len(previous))
	for i, lo := range p.Bounds {
		s := Shard{Lo: lo, From: p.From}
		if i+1 < len(p.Bounds) {
			s.Hi = p.Bounds[i+1]
		}
		at := slices.IndexFunc(previous, func(b Shard) bool { return b.contains(lo) })
		switch {
		case at < 0:
			r.openShard(s, &Shard{})
		case bytes.Equal(previous[at].Lo, s.Lo) && bytes.Equal(previous[at].Hi, s.Hi):
			unchanged[at] = true
			r.Open = append(r.Open, previous[at])
		default:
			r.openShard(s, &previous[at])
		}
	}
	for i, b := range previous {
		if !unchanged[i] {
			b.To = p.From - 1
			r.Closed = append(r.Closed, b)
		}
	}
}

// openShard opens a shard. As in the service, its id begins with its time; the time is moved forward if the clock
// stands still, so that the id sorts after its parent's. The rest of the id is a hash that makes it unique.
func (r *ShardBuilder) openShard(s Shard, parent *Shard) {
	s.Parent, s.timestamp = parent.ID, max(s.From.Time().UnixMilli(), parent.timestamp+1)
	h := fnv.New32a()
	h.Write(binary.BigEndian.AppendUint64([]byte(r.Stream.ARN), uint64(s.From)))
	h.Write(s.Lo)
	s.ID = fmt.Sprintf("shardId-%020d-%08x", s.timestamp, h.Sum32())
	r.Open = append(r.Open, s)
}
