package sql

import (
	"bytes"
	"math"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/builtin"
)

// topRows keeps the first rows of an order and drops the others as they come, so that a page of a large result needs
// memory for at most two pages.
type topRows struct {
	run        *run
	limit      int // 0: keep all
	rows       []entry
	pruned     int            // number of rows that the last prune left
	full       bool           // rows begins with limit sorted rows
	firstByRow map[string]int // for DISTINCT with ORDER BY: the index of each row in rows
}

// add adds the row in the frame.
func (s *topRows) add(e entry) bool {
	b, f := s.run.block, s.run.frame
	e.keys = s.run.orderKeys()
	if e.row = b.project(f); !e.row.Defined() {
		return f.err == nil
	}
	if b.distinct && len(b.order) > 0 && !b.adjacent {
		s.keepFirst(e)
		return f.checkRowsHeld(len(s.rows))
	}
	if b.distinct && len(b.order) == 0 {
		e.keys = []doc.Value{e.row}
	}
	if b.distinct {
		e.position, e.rowNumber = nil, 0 // equal rows share one position
	}
	s.keep(e)
	return f.checkRowsHeld(len(s.rows))
}

func (s *topRows) keep(e entry) {
	if !s.run.afterCursor(&e) || s.full && s.run.compare(e, s.rows[s.limit-1]) >= 0 {
		return
	}
	e.position = bytes.Clone(e.position)
	e.bytes = s.run.accountRow(&e)
	s.rows = append(s.rows, e)
	if len(s.rows) >= s.pruneAt() {
		s.prune()
	}
}

// minPruned is the least number of rows among which duplicates are looked for.
const minPruned = 1024

// pruneAt returns the number of rows at which to prune. Of equal rows, only as many are held as there are others.
func (s *topRows) pruneAt() int {
	at := math.MaxInt
	if s.limit > 0 {
		at = 2 * s.limit
	}
	if s.run.block.distinct {
		at = min(at, max(minPruned, 2*s.pruned))
	}
	return at
}

// keepFirst keeps, of equal rows, the first in the order.
func (s *topRows) keepFirst(e entry) {
	s.run.frame.stepOver(&e.row)
	key := builtin.Key(e.row)
	e.position = bytes.Clone(e.position)
	e.bytes = s.run.accountRow(&e)
	if i, ok := s.firstByRow[key]; ok {
		if s.run.compare(e, s.rows[i]) < 0 {
			s.rows[i], e = e, s.rows[i]
		}
		s.run.frame.release(e.bytes)
		return
	}
	s.firstByRow[key] = len(s.rows)
	s.run.frame.hold(entryBytes + len(key))
	s.rows = append(s.rows, e)
}

// prune sorts the rows, removes duplicates, and drops those that are not needed.
func (s *topRows) prune() {
	r, held := s.run, bytesOf(s.rows)
	slices.SortStableFunc(s.rows, r.compare)
	if r.block.distinct && len(s.firstByRow) == 0 {
		s.rows = slices.CompactFunc(s.rows, func(a, b entry) bool { return doc.Equal(a.row, b.row) })
	}
	if len(s.firstByRow) > 0 {
		s.rows = slices.DeleteFunc(s.rows, func(e entry) bool { return !r.afterCursor(&e) })
	}
	if s.limit > 0 && len(s.rows) > s.limit {
		clear(s.rows[s.limit:])
		s.rows = s.rows[:s.limit]
		s.full = len(s.firstByRow) == 0
	}
	s.pruned = len(s.rows)
	r.frame.release(held - bytesOf(s.rows))
}

// bytesOf returns what rows take of the budget.
func bytesOf(rows []entry) (n int) {
	for i := range rows {
		n += rows[i].bytes
	}
	return n
}
