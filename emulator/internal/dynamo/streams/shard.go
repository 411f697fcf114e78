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

// ShardLife is for how long a shard takes records before another one takes its place ("Change data capture for DynamoDB
// Streams": about four hours).
const ShardLife = 4 * time.Hour

// Partitioning is how the keys of a table were divided from a position on.
type Partitioning struct {
	From   changelog.Position
	Bounds [][]byte // the first key of each partition, without what all keys of the table begin with; the first is empty
}

// Shard is the records of a range of keys and of positions.
type Shard struct {
	ID, Parent string             // parent is empty where the stream began with the shard
	stamp      int64              // the time in the id, in milliseconds
	Lo, Hi     []byte             // keys, hi not included; an empty hi is no bound
	From, To   changelog.Position // both included; to is 0 while the shard is open
}

// has says whether the shard is for the item of a key.
func (s *Shard) has(key []byte) bool {
	return bytes.Compare(key, s.Lo) >= 0 && (len(s.Hi) == 0 || bytes.Compare(key, s.Hi) < 0)
}

// present is the position of the present moment, whose shard is open: every later change comes at it or after it.
func present(s *engine.Engine, st *Stream) changelog.Position {
	return max(st.Log.Tip(), changelog.At(s.Clock.Now()))
}

// Shards are those of the stream of which something can still be read, or will be, in the order of their ids, which is
// that of their beginning. They follow from when the stream began, from how its table was partitioned, and from the
// time: nothing has to happen for a shard to end.
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

// Roller follows a stream through its time.
type Roller struct {
	Stream       *Stream
	Open, Closed []Shard
	Next         changelog.Position // when the open shards end
	Horizon      changelog.Position // what ended before is not asked for
}

// RollUntil has the shards make way for others every four hours, until a position.
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

// skip has the open shards be the last ones that end by a position at or before the horizon, however many years that
// takes. Nobody is told of them, nor of their parents.
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

// closeAll ends the open shards with a position.
func (r *Roller) closeAll(to changelog.Position) {
	for _, s := range r.Open {
		s.To = to
		r.Closed = append(r.Closed, s)
	}
	r.Open = nil
}

// Divide has the open shards be those of a partitioning. What is still divided so stays as it is.
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

// begin opens a shard. Its id is made of its time, as the service's are, or a later one where the clock stands still,
// so that it comes after its parent's; and of what else tells it from others.
func (r *Roller) begin(s Shard, parent *Shard) {
	s.Parent, s.stamp = parent.ID, max(s.From.Time().UnixMilli(), parent.stamp+1)
	h := fnv.New32a()
	h.Write(binary.BigEndian.AppendUint64([]byte(r.Stream.ARN), uint64(s.From)))
	h.Write(s.Lo)
	s.ID = fmt.Sprintf("shardId-%020d-%08x", s.stamp, h.Sum32())
	r.Open = append(r.Open, s)
}
