package cosmos

import (
	"context"
	"encoding/binary"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// source finds the documents of a scope. Its position is their rid.
type source struct {
	q     *documentQuery
	scope *scope
	now   int64
	skip  int // bytes of a key before the rid
	it    store.Iter
}

// source begins behind what a state says, in a state of the store.
func (q *documentQuery) source(r *store.Reader, s *scope, resume *sql.State) *source {
	low := q.container.key(letterItem, 9)
	one := &source{q: q, scope: s, now: q.s.now().Unix(), skip: len(low)}
	high := store.PrefixEnd(low)
	if resume != nil && len(resume.Behind) > 0 {
		low = append(append(low, resume.Behind...), 0)
	}
	one.it = r.Iter(low, high, false)
	return one
}

func (s *source) close() { _ = s.it.Close() } // its error was Next's

// Next gives the next document.
func (s *source) Next(ctx context.Context) (v doc.Value, at []byte, ok bool, err error) {
	for n := 0; s.it.Next(); n++ {
		if n%256 == 0 && ctx.Err() != nil {
			return v, nil, false, ctx.Err()
		}
		at := s.it.Key()[s.skip:]
		i, err := readItem(binary.BigEndian.Uint64(at), s.it.Value())
		if err != nil {
			return v, nil, false, err
		}
		if s.scope.holds(i.epk) && !i.expired(s.q.def.defaultTTL, s.now) {
			v, err := s.q.load(i)
			return v, at, err == nil, err
		}
	}
	return v, nil, false, s.it.Close()
}

// load is an item as the query sees it.
func (q *documentQuery) load(i *item) (doc.Value, error) {
	q.reads.documents++
	q.reads.bytes += len(i.body)
	return q.container.value(i)
}
