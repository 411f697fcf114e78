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

// shardLifetime is how long a shard takes records before a child shard replaces it ("Change data capture for DynamoDB
// Streams": about four hours).
const shardLifetime = 4 * time.Hour

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

// saveCurrentPosition stores the current position for iterators and shards that a response names: see
// [changelog.Log.SaveAhead].
func saveCurrentPosition(req *engine.Request, st *Stream) {
	st.Log.SaveAhead(req.BeginWait(), currentPosition(req.Engine, st))
}

// Shards returns the shards that have, or may get, readable records, sorted by id, which is the order of their
// beginning. They are a function of the stream's start, the table's partitionings and the time: no event is needed to
// end a shard.
func (st *Stream) Shards(now, horizon changelog.Position) []Shard {
	r := &shardBuilder{stream: st, next: st.Start + changelog.Position(shardLifetime), horizon: horizon}
	until := now
	if st.End != 0 {
		until = st.End - 1
	}
	for _, p := range st.Partitioning {
		r.rollUntil(p.From)
		r.repartition(p)
	}
	r.rollUntil(until)
	if st.End != 0 {
		r.closeAll(st.End - 1)
	}
	all := slices.DeleteFunc(append(r.closed, r.open...), func(s Shard) bool { return s.To != 0 && s.To < horizon })
	slices.SortFunc(all, func(a, b Shard) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// shardBuilder computes a stream's shards over its lifetime.
type shardBuilder struct {
	stream       *Stream
	open, closed []Shard
	next         changelog.Position // when the open shards end
	horizon      changelog.Position // shards that ended before are left out
}

// rollUntil replaces the open shards by child shards every shardLifetime, up to a position.
func (r *shardBuilder) rollUntil(until changelog.Position) {
	r.skipToHorizon(min(until, r.horizon))
	for ; r.next <= until; r.next += changelog.Position(shardLifetime) {
		parents := r.open
		r.closeAll(r.next - 1)
		for _, parent := range parents {
			r.openShard(Shard{Lo: parent.Lo, Hi: parent.Hi, From: r.next}, &parent)
		}
	}
}

// skipToHorizon skips whole generations of shards up to the horizon, in constant time however many years that is.
// Nobody sees the skipped shards, so the new open shards have no parents.
func (r *shardBuilder) skipToHorizon(to changelog.Position) {
	if to < r.next {
		return
	}
	rolls := (to - r.next) / changelog.Position(shardLifetime)
	if rolls == 0 {
		return
	}
	previous := r.open
	r.open, r.next = nil, r.next+rolls*changelog.Position(shardLifetime)
	for _, s := range previous {
		r.openShard(Shard{Lo: s.Lo, Hi: s.Hi, From: r.next - changelog.Position(shardLifetime)}, &Shard{})
	}
}

// closeAll closes the open shards at a position.
func (r *shardBuilder) closeAll(to changelog.Position) {
	for _, s := range r.open {
		s.To = to
		r.closed = append(r.closed, s)
	}
	r.open = nil
}

// repartition replaces the open shards by those of a partitioning. Shards whose range is unchanged stay open.
func (r *shardBuilder) repartition(p Partitioning) {
	previous := r.open
	r.open = nil
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
			r.open = append(r.open, previous[at])
		default:
			r.openShard(s, &previous[at])
		}
	}
	for i, b := range previous {
		if !unchanged[i] {
			b.To = p.From - 1
			r.closed = append(r.closed, b)
		}
	}
}

// openShard opens a shard. As in the service, its id begins with its time; the time is moved forward if the clock
// stands still, so that the id sorts after its parent's. The rest of the id is a hash that makes it unique.
func (r *shardBuilder) openShard(s Shard, parent *Shard) {
	s.Parent, s.timestamp = parent.ID, max(s.From.Time().UnixMilli(), parent.timestamp+1)
	h := fnv.New32a()
	h.Write(binary.BigEndian.AppendUint64([]byte(r.stream.ARN), uint64(s.From)))
	h.Write(s.Lo)
	s.ID = fmt.Sprintf("shardId-%020d-%08x", s.timestamp, h.Sum32())
	r.open = append(r.open, s)
}
