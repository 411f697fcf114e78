package sql

import (
	"bytes"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/builtin"
)

// sorted keeps the first rows of an order and drops the others as they come, so that a page of a large result needs
// memory for at most two pages.
type sorted struct {
	run   *run
	need  int // 0: keep all
	rows  []entry
	full  bool           // rows begins with need sorted rows
	least map[string]int // for DISTINCT with ORDER BY: the index of each row in rows
}

// add adds the row in the frame.
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
		e.at, e.n = nil, 0 // equal rows share one position
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

// first keeps, of equal rows, the first in the order.
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

// settle sorts the rows, removes duplicates, and drops those that are not needed.
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
