package cosmos

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// source gives the documents of a scope that an access path leads to, in a state of the store. The position of a document is
// its rid, or where the source is in ORDER BY's order, its entry behind the index's prefix, which ends with the rid.
type source struct {
	q      *documentQuery
	r      *store.Reader
	scope  *scope
	now    int64
	steps  []step
	it     store.Iter
	open   bool
	items  bool // the keys are those of items, not of entries
	global bool // the entries have the EPKs of their items
	prefix int  // bytes of a key before the position
	rids   []uint64
	behind *behind
}

// step is a part of the keys that a source walks.
type step struct {
	low, high []byte
	reverse   bool
}

const ridSize = 8

// behind leaves out what a page in the order of an index has given already, where that index cannot be used any more.
type behind struct {
	parts    composite
	reverse  bool
	position []byte
}

func (b *behind) passed(i *item, v doc.Value) bool {
	key, _ := appendParts(nil, b.parts, i, v)
	order := bytes.Compare(binary.BigEndian.AppendUint64(key, i.rid), b.position)
	return order == 0 || order < 0 != b.reverse
}

func (s *source) close() {
	if s.open {
		_ = s.it.Close() // its error was Next's
	}
}

// Next gives the next document.
func (s *source) Next(ctx context.Context) (v doc.Value, at []byte, ok bool, err error) {
	for n := 0; ; n++ {
		if n%256 == 0 && ctx.Err() != nil {
			return v, nil, false, ctx.Err()
		}
		i, at, err := s.item()
		if i == nil || err != nil {
			return v, nil, false, err
		}
		if i.rid == 0 || !s.scope.holds(i.epk) || i.expired(s.q.def.defaultTTL, s.now) {
			continue
		}
		v, err := s.q.load(i)
		if err != nil || s.behind == nil || !s.behind.passed(i, v) {
			return v, at, err == nil, err
		}
	}
}

// item is the next item and its position; nil at the end. One without a rid is none of the scope's.
func (s *source) item() (*item, []byte, error) {
	if s.rids != nil {
		return s.listed()
	}
	more, err := s.walk()
	if !more || err != nil {
		return nil, nil, err
	}
	key := s.it.Key()
	at, rid := key[s.prefix:], binary.BigEndian.Uint64(key[len(key)-ridSize:])
	if s.items {
		i, err := readItem(rid, s.it.Value())
		return i, at, err
	}
	if s.q.reads.lookups++; s.global && !s.scope.holds(s.it.Value()) {
		return &item{}, nil, nil
	}
	i, err := s.fetch(rid)
	return i, at, err
}

// listed is the next item of a list of rids.
func (s *source) listed() (*item, []byte, error) {
	if len(s.rids) == 0 {
		return nil, nil, nil
	}
	rid := s.rids[0]
	s.rids = s.rids[1:]
	i, err := s.fetch(rid)
	return i, binary.BigEndian.AppendUint64(nil, rid), err
}

func (s *source) fetch(rid uint64) (*item, error) {
	value, ok, err := s.r.Get(s.q.container.itemKey(rid))
	if err != nil || !ok {
		return &item{}, err
	}
	return readItem(rid, value)
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
		if len(s.steps) == 0 {
			return false, nil
		}
		one := s.steps[0]
		s.steps = s.steps[1:]
		if bytes.Compare(one.low, one.high) < 0 {
			s.it, s.open = s.r.Iter(one.low, one.high, one.reverse), true
		}
	}
}

// load is an item as the query sees it.
func (q *documentQuery) load(i *item) (doc.Value, error) {
	q.reads.documents++
	q.reads.bytes += len(i.body)
	return q.container.value(i)
}

// all is the source of all items of a scope in the order of their creation.
func (q *documentQuery) all(r *store.Reader, s *scope, resume *sql.State) *source {
	one := q.newSource(r, s)
	prefix := q.container.key(letterItem, ridSize+1)
	one.items, one.prefix = true, len(prefix)
	low := slices.Clone(prefix)
	if at := ridOf(resume); at != nil {
		low = append(append(low, at...), 0)
	}
	one.steps = []step{{low: low, high: store.PrefixEnd(prefix)}}
	return one
}

func (q *documentQuery) newSource(r *store.Reader, s *scope) *source {
	return &source{q: q, r: r, scope: s, now: q.s.now().Unix()}
}

// ridOf is the position of a query that goes by rids; nil at its start.
func ridOf(resume *sql.State) []byte {
	if resume != nil && len(resume.Behind) == ridSize { // an entry is longer
		return resume.Behind
	}
	return nil
}

// inOrder says that a query with an order was begun in that of an index.
func inOrder(resume *sql.State) bool { return resume != nil && !resume.Collected() }
