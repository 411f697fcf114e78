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

// ShardLife is how long a shard takes records before a child shard replaces it ("Change data capture for DynamoDB
// Streams": about four hours).
const ShardLife = 4 * time.Hour

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
	stamp      int64              // the time in the id, in milliseconds
	Lo, Hi     []byte             // range of keys; Hi is exclusive, and unbounded if empty
	From, To   changelog.Position // both inclusive; To is 0 while the shard is open
}

// has reports whether records of the item with that key belong to the shard.
func (s *Shard) has(key []byte) bool {
	return bytes.Compare(key, s.Lo) >= 0 && (len(s.Hi) == 0 || bytes.Compare(key, s.Hi) < 0)
}

// present returns the current position, whose shards are open: every later change is at or after it.
func present(s *engine.Engine, st *Stream) changelog.Position {
	return max(st.Log.Tip(), changelog.At(s.Clock.Now()))
}

// Shards returns the shards that have, or may get, readable records, sorted by id, which is the order of their
// beginning. They are a function of the stream's start, the table's partitionings and the time: no event is needed to
// end a shard.
func (st *Stream) Shards(now, horizon changelog.Position) []Shard {
	r := &Roller{Stream: st, Next: st.Start + changelog.Position(ShardLife), Horizon: horizon}
	until := now
	if st.End != 0 {
		until = st.End - 1
	}
	for _, p := range st.Partitioning {
		r.RollUntil(p.From)
		r.Divide(p)
	}
	r.RollUntil(until)
	if st.End != 0 {
		r.closeAll(st.End - 1)
	}
	all := slices.DeleteFunc(append(r.Closed, r.Open...), func(s Shard) bool { return s.To != 0 && s.To < horizon })
	slices.SortFunc(all, func(a, b Shard) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// Roller computes a stream's shards over its lifetime.
type Roller struct {
	Stream       *Stream
	Open, Closed []Shard
	Next         changelog.Position // when the open shards end
	Horizon      changelog.Position // shards that ended before are left out
}

// RollUntil replaces the open shards by child shards every ShardLife, up to a position.
func (r *Roller) RollUntil(until changelog.Position) {
	r.skip(min(until, r.Horizon))
	for ; r.Next <= until; r.Next += changelog.Position(ShardLife) {
		parents := r.Open
		r.closeAll(r.Next - 1)
		for _, parent := range parents {
			r.begin(Shard{Lo: parent.Lo, Hi: parent.Hi, From: r.Next}, &parent)
		}
	}
}

// skip skips whole generations of shards up to the horizon, in constant time however many years that is. Nobody sees
// the skipped shards, so the new open shards have no parents.
func (r *Roller) skip(to changelog.Position) {
	if to < r.Next {
		return
	}
	rolls := (to - r.Next) / changelog.Position(ShardLife)
	if rolls == 0 {
		return
	}
	before := r.Open
	r.Open, r.Next = nil, r.Next+rolls*changelog.Position(ShardLife)
	for _, s := range before {
		r.begin(Shard{Lo: s.Lo, Hi: s.Hi, From: r.Next - changelog.Position(ShardLife)}, &Shard{})
	}
}

// closeAll closes the open shards at a position.
func (r *Roller) closeAll(to changelog.Position) {
	for _, s := range r.Open {
		s.To = to
		r.Closed = append(r.Closed, s)
	}
	r.Open = nil
}

// Divide replaces the open shards by those of a partitioning. Shards whose range is unchanged stay open.
func (r *Roller) Divide(p Partitioning) {
	before := r.Open
	r.Open = nil
	kept := make([]bool, len(before))
	for i, lo := range p.Bounds {
		s := Shard{Lo: lo, From: p.From}
		if i+1 < len(p.Bounds) {
			s.Hi = p.Bounds[i+1]
		}
		at := slices.IndexFunc(before, func(b Shard) bool { return b.has(lo) })
		switch {
		case at < 0:
			r.begin(s, &Shard{})
		case bytes.Equal(before[at].Lo, s.Lo) && bytes.Equal(before[at].Hi, s.Hi):
			kept[at] = true
			r.Open = append(r.Open, before[at])
		default:
			r.begin(s, &before[at])
		}
	}
	for i, b := range before {
		if !kept[i] {
			b.To = p.From - 1
			r.Closed = append(r.Closed, b)
		}
	}
}

// begin opens a shard. As in the service, its id begins with its time; the time is moved forward if the clock stands
// still, so that the id sorts after its parent's. The rest of the id is a hash that makes it unique.
func (r *Roller) begin(s Shard, parent *Shard) {
	s.Parent, s.stamp = parent.ID, max(s.From.Time().UnixMilli(), parent.stamp+1)
	h := fnv.New32a()
	h.Write(binary.BigEndian.AppendUint64([]byte(r.Stream.ARN), uint64(s.From)))
	h.Write(s.Lo)
	s.ID = fmt.Sprintf("shardId-%020d-%08x", s.stamp, h.Sum32())
	r.Open = append(r.Open, s)
}
