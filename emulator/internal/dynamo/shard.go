package dynamo

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"slices"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
)

// shardLife is for how long a shard takes records before another one takes its place ("Change data capture for DynamoDB
// Streams": about four hours).
const shardLife = 4 * time.Hour

// partitioning is how the keys of a table were divided from a position on.
type partitioning struct {
	From   changelog.Position
	Bounds [][]byte // the first key of each partition, without what all keys of the table begin with; the first is empty
}

// shard is the records of a range of keys and of positions.
type shard struct {
	id, parent string             // parent is empty where the stream began with the shard
	stamp      int64              // the time in the id, in milliseconds
	lo, hi     []byte             // keys, hi not included; an empty hi is no bound
	from, to   changelog.Position // both included; to is 0 while the shard is open
}

// has says whether the shard is for the item of a key.
func (s *shard) has(key []byte) bool {
	return bytes.Compare(key, s.lo) >= 0 && (len(s.hi) == 0 || bytes.Compare(key, s.hi) < 0)
}

// present is the position of the present moment, whose shard is open: every later change comes at it or after it.
func (s *Service) present(st *stream) changelog.Position {
	return max(st.log.Tip(), changelog.At(s.clock.Now()))
}

// shards are those of the stream of which something can still be read, or will be, in the order of their ids, which is that of
// their beginning. They follow from when the stream began, from how its table was partitioned, and from the time: nothing has
// to happen for a shard to end.
func (st *stream) shards(now, horizon changelog.Position) []shard {
	r := &roller{stream: st, next: st.Start + changelog.Position(shardLife), horizon: horizon}
	until := now
	if st.End != 0 {
		until = st.End - 1
	}
	for _, p := range st.Partitioning {
		r.rollUntil(p.From)
		r.divide(p)
	}
	r.rollUntil(until)
	if st.End != 0 {
		r.closeAll(st.End - 1)
	}
	all := slices.DeleteFunc(append(r.closed, r.open...), func(s shard) bool { return s.to != 0 && s.to < horizon })
	slices.SortFunc(all, func(a, b shard) int { return cmp.Compare(a.id, b.id) })
	return all
}

// roller follows a stream through its time.
type roller struct {
	stream       *stream
	open, closed []shard
	next         changelog.Position // when the open shards end
	horizon      changelog.Position // what ended before is not asked for
}

// rollUntil has the shards make way for others every four hours, until a position.
func (r *roller) rollUntil(until changelog.Position) {
	r.skip(min(until, r.horizon))
	for ; r.next <= until; r.next += changelog.Position(shardLife) {
		parents := r.open
		r.closeAll(r.next - 1)
		for _, parent := range parents {
			r.begin(shard{lo: parent.lo, hi: parent.hi, from: r.next}, &parent)
		}
	}
}

// skip has the open shards be the last ones that end by a position at or before the horizon, however many years that takes.
// Nobody is told of them, nor of their parents.
func (r *roller) skip(to changelog.Position) {
	if to < r.next {
		return
	}
	rolls := (to - r.next) / changelog.Position(shardLife)
	if rolls == 0 {
		return
	}
	before := r.open
	r.open, r.next = nil, r.next+rolls*changelog.Position(shardLife)
	for _, s := range before {
		r.begin(shard{lo: s.lo, hi: s.hi, from: r.next - changelog.Position(shardLife)}, &shard{})
	}
}

// closeAll ends the open shards with a position.
func (r *roller) closeAll(to changelog.Position) {
	for _, s := range r.open {
		s.to = to
		r.closed = append(r.closed, s)
	}
	r.open = nil
}

// divide has the open shards be those of a partitioning. What is still divided so stays as it is.
func (r *roller) divide(p partitioning) {
	before := r.open
	r.open = nil
	kept := make([]bool, len(before))
	for i, lo := range p.Bounds {
		s := shard{lo: lo, from: p.From}
		if i+1 < len(p.Bounds) {
			s.hi = p.Bounds[i+1]
		}
		at := slices.IndexFunc(before, func(b shard) bool { return b.has(lo) })
		switch {
		case at < 0:
			r.begin(s, &shard{})
		case bytes.Equal(before[at].lo, s.lo) && bytes.Equal(before[at].hi, s.hi):
			kept[at] = true
			r.open = append(r.open, before[at])
		default:
			r.begin(s, &before[at])
		}
	}
	for i, b := range before {
		if !kept[i] {
			b.to = p.From - 1
			r.closed = append(r.closed, b)
		}
	}
}

// begin opens a shard. Its id is made of its time, as the service's are, or a later one where the clock stands still, so that
// it comes after its parent's; and of what else tells it from others.
func (r *roller) begin(s shard, parent *shard) {
	s.parent, s.stamp = parent.id, max(s.from.Time().UnixMilli(), parent.stamp+1)
	h := fnv.New32a()
	h.Write(binary.BigEndian.AppendUint64([]byte(r.stream.ARN), uint64(s.from)))
	h.Write(s.lo)
	s.id = fmt.Sprintf("shardId-%020d-%08x", s.stamp, h.Sum32())
	r.open = append(r.open, s)
}
