package query

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/index"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// access is the access path that a plan chose for a snapshot.
type access struct {
	source  *source
	ordered bool   // items come in the order of ORDER BY
	text    string // the description of the access path for logs
	served  bool   // an index served the filter
}

// open chooses the candidate of a plan that reads the least in a snapshot. It skips an index that was removed since the
// plan was made, and an ordered one with values too long for its order. Rough is set before such values are visible in
// the store, and Dropping before the deletion of the entries is.
func (p *accessPlan) open(q *DocumentQuery, r *lag.View, resume *sql.State) (access, error) {
	if p.none {
		return access{source: q.newSource(r, p.scope), text: "nothing", served: true}, nil
	}
	best, entries, err := p.best(r)
	if err != nil {
		return access{}, err
	}
	if usable := p.ordered != nil && p.ordered.index.Usable() && !p.ordered.index.Rough.Load(); usable {
		all, err := p.count(r, p.ordered, fewEntries)
		if err != nil || inOrder(resume) || best == nil || all <= entries {
			return p.inOrder(q, r, resume), err
		}
	}
	a, err := p.byFilter(q, r, best, resume)
	if a.source == nil {
		a = p.inCreation(q, r, resume)
	}
	if inOrder(resume) && p.ordered != nil && len(resume.Behind) > 0 {
		a.source.behind = &behind{p.ordered.spec.Parts, p.reverse, resume.Behind}
	}
	return a, err
}

// best returns the candidate with the fewest entries, counted up to a limit. If there is only one candidate, it does
// not count.
func (p *accessPlan) best(r *lag.View) (best *candidate, entries int, err error) {
	choice := p.ordered != nil || len(p.filters) > 1
	for i := range p.filters {
		one := &p.filters[i]
		if !one.index.Usable() {
			continue
		}
		n := 0
		if choice {
			if n, err = p.count(r, one, fewEntries); err != nil {
				return nil, 0, err
			}
		}
		if best == nil || n < entries {
			best, entries = one, n
		}
	}
	return best, entries, nil
}

// count returns the number of entries of a candidate, up to a limit.
func (p *accessPlan) count(r *lag.View, one *candidate, limit int) (n int, err error) {
	for _, s := range p.steps(one, false) {
		it := r.Iter(s.low, s.high, false)
		for n < limit && it.Next() {
			n++
		}
		if err := it.Close(); err != nil {
			return n, err
		}
	}
	return n, nil
}

// steps returns the key ranges of a candidate's entries in the scope.
func (p *accessPlan) steps(one *candidate, reverse bool) []step {
	prefixes := [][]byte{engine.Prefix(one.index, p.c)}
	if one.spec.Scoped {
		prefixes = nil
		for _, part := range p.scope.parts {
			prefixes = append(prefixes, engine.ScopedPrefix(one.index, p.c, part.Low))
		}
	}
	var all []step
	for _, prefix := range prefixes {
		for _, v := range one.ranges {
			s := step{append(slices.Clone(prefix), v.Low...), store.PrefixEnd(prefix), reverse}
			if v.High != nil {
				s.high = append(slices.Clone(prefix), v.High...)
			}
			all = append(all, s)
		}
	}
	if reverse {
		slices.Reverse(all)
	}
	return all
}

// inOrder uses the index in the order of ORDER BY.
func (p *accessPlan) inOrder(q *DocumentQuery, r *lag.View, resume *sql.State) access {
	one := p.ordered
	s := q.newSource(r, p.scope)
	s.global = !one.spec.Scoped
	prefix := engine.Prefix(one.index, p.c)
	if one.spec.Scoped {
		prefix = engine.ScopedPrefix(one.index, p.c, p.scope.parts[0].Low)
	}
	s.prefix = len(prefix)
	s.steps = p.steps(one, p.reverse)
	if inOrder(resume) && len(resume.Behind) > 0 {
		s.steps = stepsBehind(s.steps, append(prefix, resume.Behind...), p.reverse)
	}
	text := "in order of " + Text(one.spec) + rangesText(one.ranges)
	if p.reverse {
		text += ", backwards"
	}
	return access{source: s, ordered: true, text: text, served: len(p.filters) == 0}
}

// stepsBehind limits steps to the keys after key in reading order.
func stepsBehind(steps []step, key []byte, reverse bool) []step {
	for i := range steps {
		if reverse && bytes.Compare(steps[i].high, key) > 0 {
			steps[i].high = key
		} else if next := append(slices.Clone(key), 0); !reverse && bytes.Compare(steps[i].low, next) < 0 {
			steps[i].low = next
		}
	}
	return steps
}

// byFilter uses the index of a condition and returns items in creation order. Entries of a single value are in that
// order already; others are listed and sorted. The source is nil if there are too many to list.
func (p *accessPlan) byFilter(q *DocumentQuery, r *lag.View, one *candidate, resume *sql.State) (access, error) {
	if one == nil {
		return access{}, nil
	}
	text := "by " + Text(one.spec) + rangesText(one.ranges)
	steps := p.steps(one, false)
	s := q.newSource(r, p.scope)
	s.global = !one.spec.Scoped
	s.steps = steps
	behind := ridOf(resume)
	if one.points && len(steps) == 1 {
		s.prefix = len(steps[0].low)
		if behind != nil {
			s.steps = stepsBehind(steps, append(slices.Clone(steps[0].low), behind...), false)
		}
		return access{source: s, text: text, served: true}, nil
	}
	ok, err := s.list(behind, p.most)
	if !ok || err != nil {
		return access{}, err
	}
	return access{source: s, text: text + ", listed", served: true}, nil
}

// list reads the rids of all entries after behind and sorts them. ok is false if there are more than most.
func (s *source) list(behind []byte, most int) (ok bool, err error) {
	rids := []uint64{}
	for n := 0; ; n++ {
		more, err := s.walk()
		if err != nil || n > most {
			s.close()
			return false, err
		}
		if !more {
			break
		}
		s.q.reads.Entries++
		key := s.it.Key()
		rid := key[len(key)-ridSize:]
		if bytes.Compare(rid, behind) > 0 && (!s.global || s.scope.holds(s.it.Value())) {
			rids = append(rids, binary.BigEndian.Uint64(rid))
		}
	}
	slices.Sort(rids)
	s.rids = slices.Compact(rids)
	return true, nil
}

// inCreation uses the list of a logical partition's items, or else scans all items, in creation order.
func (p *accessPlan) inCreation(q *DocumentQuery, r *lag.View, resume *sql.State) access {
	if p.list == nil || !p.list.Usable() {
		return access{source: q.all(r, p.scope, resume), text: "all items"}
	}
	one := candidate{index: p.list, spec: p.list.Spec, ranges: []index.Range{{}}}
	s := q.newSource(r, p.scope)
	s.steps = p.steps(&one, false)
	s.prefix = len(s.steps[0].low)
	if at := ridOf(resume); at != nil {
		s.steps = stepsBehind(s.steps, append(slices.Clone(s.steps[0].low), at...), false)
	}
	return access{source: s, text: "all items of the partition"}
}

// Text returns a description of an index for logs and messages.
func Text(s index.Spec) string {
	var parts []string
	for _, p := range s.Parts {
		text := doc.PathText(p.Steps)
		if p.Desc {
			text += " DESC"
		}
		parts = append(parts, text)
	}
	text := strings.Join(parts, ", ")
	if s.Scoped {
		text += " in the partition"
	}
	return text
}

func rangesText(ranges []index.Range) string {
	if len(ranges) == 1 && len(ranges[0].Low) == 0 && ranges[0].High == nil {
		return ""
	}
	return fmt.Sprintf(" (%d ranges)", len(ranges))
}
