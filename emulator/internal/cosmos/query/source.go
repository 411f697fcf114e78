package query

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/index"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// source reads the documents of a scope through an access path, from a snapshot. The position of a document is its rid
// or, in the order of an index, its entry without the index's prefix; the entry ends with the rid.
type source struct {
	q            *DocumentQuery
	r            *lag.View
	scope        *scope
	now          int64
	ranges       []entryRange
	it           lag.Iter
	open         bool
	docs         lag.Iter // over the items, for the entries of an index
	loads        bool     // docs is open
	items        bool     // keys are those of items, not of index entries
	global       bool     // the entries contain the EPKs of their items
	opaque       bool     // the query reads nothing in the documents: they are null, and stand for the current item
	prefix       int      // length of a key before the position, in bytes
	key          []byte   // of the item that was last fetched
	current      engine.Item
	rids         []uint64
	resumeFilter *resumeFilter
}

// entryRange is a key range that a source reads.
type entryRange struct {
	low, high []byte
	reverse   bool
}

const ridSize = 8

const (
	rangeSteps = 64   // the work of opening an iterator over a range
	skipSteps  = 4    // the work of skipping an item
	maxSkipped = 1024 // number of items in a row after which a page may end
)

// resumeFilter skips what previous pages returned in the order of an index that can no longer be used.
type resumeFilter struct {
	parts    index.Composite
	reverse  bool
	position []byte
}

func (b *resumeFilter) passed(c *engine.Container, i *engine.Item, v doc.Value) bool {
	key, _ := engine.AppendPathValues(nil, b.parts, i, engine.WithComputed(b.parts, c, i, v))
	order := bytes.Compare(binary.BigEndian.AppendUint64(key, i.RID), b.position)
	return order == 0 || order < 0 != b.reverse
}

func (s *source) close() {
	if s.open { // Next has returned its errors
		_ = s.it.Close()
	}
	if s.loads {
		_ = s.docs.Close()
	}
}

// Next returns the next document, or an undefined one after it has skipped maxSkipped items.
func (s *source) Next(ctx context.Context) (v doc.Value, at []byte, ok bool, err error) {
	for n := 0; ; n++ {
		if n%256 == 0 && ctx.Err() != nil {
			return v, nil, false, ctx.Err()
		}
		i, at, err := s.item()
		if i == nil || err != nil {
			return v, nil, false, err
		}
		if i.RID != 0 && s.scope.holds(i.EPK) && !i.Expired(s.q.Def.DefaultTTL, s.now) && s.scope.shared.ofItem(i) {
			begin := s.q.tick()
			v, err := s.load(i)
			s.q.tock(&s.q.took.load, begin)
			if err != nil || s.resumeFilter == nil || !s.resumeFilter.passed(s.q.Container, i, v) {
				return v, at, err == nil, err
			}
		}
		if err := s.q.work.Step(skipSteps); err != nil || n == maxSkipped {
			return v, at, err == nil, err
		}
	}
}

// item returns the next item, which is valid until the next call, and its position; nil at the end. An item without a
// rid is not in the scope.
func (s *source) item() (*engine.Item, []byte, error) {
	if s.rids != nil {
		return s.listed()
	}
	begin := s.q.tick()
	more, err := s.walk()
	if s.items {
		s.q.tock(&s.q.took.load, begin)
	} else {
		s.q.tock(&s.q.took.lookup, begin)
	}
	if !more || err != nil {
		return nil, nil, err
	}
	key := s.it.Key()
	at, rid := key[s.prefix:], binary.BigEndian.Uint64(key[len(key)-ridSize:])
	if s.items {
		i, err := s.read(rid, s.it.Value())
		return i, at, err
	}
	if s.global && !s.scope.holds(s.it.Value()) {
		return s.none(), at, nil
	}
	s.q.reads.Entries++
	if s.keysOnly() {
		s.current = engine.Item{RID: rid, EPK: s.scope.parts[0].Low}
		return &s.current, at, nil
	}
	i, err := s.fetch(rid)
	return i, at, err
}

// keysOnly reports whether the index entries contain everything that the query needs.
func (s *source) keysOnly() bool {
	return s.q.needs == needsNothing && s.q.Def.DefaultTTL == engine.NoTTL && s.resumeFilter == nil &&
		len(s.scope.parts) == 1 && s.scope.shared == nil
}

// listed returns the next item of the list of rids.
func (s *source) listed() (*engine.Item, []byte, error) {
	if len(s.rids) == 0 {
		return nil, nil, nil
	}
	rid := s.rids[0]
	s.rids = s.rids[1:]
	i, err := s.fetch(rid)
	return i, binary.BigEndian.AppendUint64(nil, rid), err
}

// read parses a stored item into the current one.
func (s *source) read(rid uint64, value []byte) (*engine.Item, error) {
	err := engine.ReadItemInto(&s.current, rid, value)
	return &s.current, err
}

// none makes the current item one without a rid.
func (s *source) none() *engine.Item {
	s.current = engine.Item{}
	return &s.current
}

// fetch returns the item with a rid, or an item without a rid if it does not exist.
func (s *source) fetch(rid uint64) (*engine.Item, error) {
	s.key = store.AppendUint64(s.q.Container.AppendKey(s.key[:0], engine.LetterItem), rid)
	if s.q.Replica != lag.Leader {
		value, ok, err := s.r.Get(s.key)
		if !ok || err != nil {
			return s.none(), err
		}
		return s.read(rid, value)
	}
	defer s.q.tock(&s.q.took.load, s.q.tick())
	if !s.loads {
		prefix := s.q.Container.Key(engine.LetterItem, 0)
		s.docs, s.loads = s.r.Iter(prefix, store.PrefixEnd(prefix), false), true
	}
	if !s.docs.Seek(s.key) {
		return s.none(), nil
	}
	return s.read(rid, s.docs.Value())
}

// walk moves to the next key of the steps.
func (s *source) walk() (bool, error) {
	for {
		if s.open {
			if s.it.Next() {
				return true, nil
			}
			s.open = false
			if err := s.it.Close(); err != nil {
				return false, err
			}
		}
		if len(s.ranges) == 0 {
			return false, nil
		}
		if err := s.q.work.Step(rangeSteps); err != nil {
			return false, err
		}
		next := s.ranges[0]
		s.ranges = s.ranges[1:]
		if bytes.Compare(next.low, next.high) < 0 {
			s.it, s.open = s.r.Iter(next.low, next.high, next.reverse), true
		}
	}
}

// load returns the document of an item.
func (s *source) load(i *engine.Item) (doc.Value, error) {
	if !s.opaque {
		return s.q.load(i)
	}
	s.q.countLoaded(i)
	return doc.NullValue(), nil
}

// countLoaded counts an item whose body is read.
func (q *DocumentQuery) countLoaded(i *engine.Item) {
	q.reads.Documents++
	q.reads.Bytes += len(i.Body)
}

// load returns the parts of an item that the query reads.
func (q *DocumentQuery) load(i *engine.Item) (doc.Value, error) {
	if i.Body != nil {
		q.countLoaded(i)
	}
	switch {
	case q.needs == needsSystemProperties:
		return q.Container.Value(i)
	case q.needs == needsNothing:
		return doc.Object(), nil
	}
	v, err := doc.Parse(i.Body)
	if err != nil {
		err = engine.ErrItem
	}
	return v, err
}

// neededParts is the part of an item that a query reads.
type neededParts uint8

const (
	needsNothing neededParts = iota // at most, the query counts items
	needsBody
	needsSystemProperties // including system properties
)

func neededPartsOf(shape *sql.Shape) neededParts {
	switch {
	case shape.All, slices.ContainsFunc(shape.Reads, func(p sql.Path) bool { return strings.HasPrefix(p[0].Name, "_") }):
		return needsSystemProperties
	case len(shape.Reads) > 0:
		return needsBody
	}
	return needsNothing
}

// scanAll returns the source of all items of a scope, in creation order.
func (q *DocumentQuery) scanAll(r *lag.View, s *scope, resume *sql.State) *source {
	src := q.newSource(r, s)
	prefix := q.Container.Key(engine.LetterItem, ridSize+1)
	src.items, src.prefix = true, len(prefix)
	low := slices.Clone(prefix)
	if at := ridOf(resume); at != nil {
		low = append(append(low, at...), 0)
	}
	src.ranges = []entryRange{{low: low, high: store.PrefixEnd(prefix)}}
	return src
}

func (q *DocumentQuery) newSource(r *lag.View, s *scope) *source {
	return &source{q: q, r: r, scope: s, now: q.Account.Now().Unix()}
}

// ridOf returns the position of a query that reads in creation order; nil at its start.
func ridOf(resume *sql.State) []byte {
	if resume != nil && len(resume.ResumeAfter) == ridSize { // positions in an index are longer
		return resume.ResumeAfter
	}
	return nil
}

// resumesInOrder reports whether a query with ORDER BY began in the order of an index.
func resumesInOrder(resume *sql.State) bool { return resume != nil && !resume.Collected() }
