package sql

import (
	"bytes"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/builtin"
)

// sorted keeps the first rows of an order, and forgets the others as they come, so that a page of a large result needs
// no more room than twice the page.
type sorted struct {
	run   *run
	need  int // 0: keeps all
	rows  []entry
	full  bool           // rows begins with need rows, sorted
	least map[string]int // of DISTINCT with ORDER BY: the row's place in rows
}

// add takes the row that the frame holds.
func (s *sorted) add(e entry) bool {
	b, f := s.run.block, s.run.frame
	e.keys = s.run.orderKeys()
	if e.row = b.project(f); !e.row.Defined() {
		return f.err == nil
	}
	if b.distinct && len(b.order) > 0 && !b.adjacent {
		s.first(e)
		return f.holds(len(s.rows))
	}
	if b.distinct && len(b.order) == 0 {
		e.keys = []doc.Value{e.row}
	}
	if b.distinct {
		e.at, e.n = nil, 0 // rows that are alike have one place
	}
	s.keep(e)
	return f.holds(len(s.rows))
}

func (s *sorted) keep(e entry) {
	if !s.run.behindCursor(&e) || s.full && s.run.compare(e, s.rows[s.need-1]) >= 0 {
		return
	}
	e.at = bytes.Clone(e.at)
	e.bytes = s.run.hold(&e)
	s.rows = append(s.rows, e)
	if s.need > 0 && len(s.rows) >= 2*s.need {
		s.settle()
	}
}

// first keeps of rows that are alike the one that the order has first.
func (s *sorted) first(e entry) {
	s.run.frame.stepOver(&e.row)
	key := builtin.Key(e.row)
	e.at = bytes.Clone(e.at)
	e.bytes = s.run.hold(&e)
	if i, ok := s.least[key]; ok {
		if s.run.compare(e, s.rows[i]) < 0 {
			s.rows[i], e = e, s.rows[i]
		}
		s.run.frame.forget(e.bytes)
		return
	}
	s.least[key] = len(s.rows)
	s.run.frame.hold(entryBytes + len(key))
	s.rows = append(s.rows, e)
}

// settle sorts the rows, leaves one of those that are alike, and forgets what is not needed.
func (s *sorted) settle() {
	r := s.run
	slices.SortStableFunc(s.rows, r.compare)
	if r.block.distinct && len(s.least) == 0 {
		s.rows = slices.CompactFunc(s.rows, func(a, b entry) bool { return doc.Equal(a.row, b.row) })
	}
	if len(s.least) > 0 {
		s.rows = slices.DeleteFunc(s.rows, func(e entry) bool { return !r.behindCursor(&e) })
	}
	if s.need > 0 && len(s.rows) > s.need {
		for _, e := range s.rows[s.need:] {
			r.frame.forget(e.bytes)
		}
		clear(s.rows[s.need:])
		s.rows = s.rows[:s.need]
		s.full = len(s.least) == 0
	}
}
