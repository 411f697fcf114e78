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
	source        *source
	ordered       bool   // items come in the order of ORDER BY
	description   string // the description of the access path for logs
	filterIndexed bool   // an index served the filter
}

// open chooses the candidate of a plan that reads the least in a snapshot. It skips an index that was removed since the
// plan was made, and an ordered one with values too long for its order. Truncated is set before such values are visible
// in the store, and Dropping before the deletion of the entries is.
func (p *accessPlan) open(q *DocumentQuery, r *lag.View, resume *sql.State) (access, error) {
	if p.empty {
		return access{source: q.newSource(r, p.scope), description: "nothing", filterIndexed: true}, nil
	}
	best, entries, err := p.best(r)
	if err != nil {
		return access{}, err
	}
	if usable := p.ordered != nil && p.ordered.index.Usable() && !p.ordered.index.Truncated.Load(); usable {
		if best == nil || resumesInOrder(resume) {
			return p.orderAccess(q, r, resume), nil
		}
		all, err := p.count(r, p.ordered, sortThreshold)
		if err != nil || all <= entries {
			return p.orderAccess(q, r, resume), err
		}
	}
	a, err := p.filterAccess(q, r, best, resume)
	if a.source == nil {
		a = p.scanAccess(q, r, resume)
	}
	if resumesInOrder(resume) && p.ordered != nil && len(resume.ResumeAfter) > 0 {
		a.source.resumeFilter = &resumeFilter{p.ordered.spec.Paths, p.reverse, resume.ResumeAfter}
	}
	return a, err
}

// best returns the candidate with the fewest entries, counted up to a limit. If there is only one candidate, it does
// not count.
func (p *accessPlan) best(r *lag.View) (best *candidate, entries int, err error) {
	choice := p.ordered != nil || len(p.filters) > 1
	for i := range p.filters {
		filter := &p.filters[i]
		if !filter.index.Usable() {
			continue
		}
		n := 0
		if choice {
			if n, err = p.count(r, filter, sortThreshold); err != nil {
				return nil, 0, err
			}
		}
		if best == nil || n < entries {
			best, entries = filter, n
		}
	}
	return best, entries, nil
}

// count returns the number of entries of a candidate, up to a limit.
func (p *accessPlan) count(r *lag.View, c *candidate, limit int) (n int, err error) {
	for _, s := range p.entryRanges(c, false) {
		if n >= limit {
			break
		}
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

// entryPrefixes returns the prefixes of a candidate's entries in the scope: several if it is scoped and the scope has
// several logical partitions.
func (p *accessPlan) entryPrefixes(c *candidate) (all [][]byte) {
	if !c.spec.Scoped {
		return [][]byte{engine.EntryPrefix(c.index, p.container)}
	}
	for _, part := range p.scope.parts {
		all = append(all, engine.PartitionEntryPrefix(c.index, p.container, part.Low))
	}
	return all
}

// entryRanges returns the key ranges of a candidate's entries in the scope.
func (p *accessPlan) entryRanges(c *candidate, reverse bool) []entryRange {
	var all []entryRange
	for _, prefix := range p.entryPrefixes(c) {
		for _, v := range c.ranges {
			s := entryRange{append(slices.Clone(prefix), v.Low...), store.PrefixEnd(prefix), reverse}
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

// orderAccess uses the index in the order of ORDER BY.
func (p *accessPlan) orderAccess(q *DocumentQuery, r *lag.View, resume *sql.State) access {
	order := p.ordered
	s := q.newSource(r, p.scope)
	s.global = !order.spec.Scoped
	prefix := p.entryPrefixes(order)[0] // ordered in the whole container or in one partition
	s.prefix = len(prefix)
	s.ranges = p.entryRanges(order, p.reverse)
	if resumesInOrder(resume) && len(resume.ResumeAfter) > 0 {
		s.ranges = rangesAfter(s.ranges, append(prefix, resume.ResumeAfter...), p.reverse)
	}
	text := "in order of " + IndexText(order.spec) + rangesText(order.ranges)
	if p.reverse {
		text += ", backwards"
	}
	return access{source: s, ordered: true, description: text, filterIndexed: len(p.filters) == 0}
}

// rangesAfter limits steps to the keys after key in reading order.
func rangesAfter(steps []entryRange, key []byte, reverse bool) []entryRange {
	for i := range steps {
		if reverse && bytes.Compare(steps[i].high, key) > 0 {
			steps[i].high = key
		} else if next := append(slices.Clone(key), 0); !reverse && bytes.Compare(steps[i].low, next) < 0 {
			steps[i].low = next
		}
	}
	return steps
}

// filterAccess uses the index of a condition and returns items in creation order. Entries of a single value are in that
// order already; others are listed and sorted. The source is nil if there are too many to list.
func (p *accessPlan) filterAccess(q *DocumentQuery, r *lag.View, filter *candidate, resume *sql.State) (access, error) {
	if filter == nil {
		return access{}, nil
	}
	text := "by " + IndexText(filter.spec) + rangesText(filter.ranges)
	steps := p.entryRanges(filter, false)
	s := q.newSource(r, p.scope)
	s.global = !filter.spec.Scoped
	s.ranges = steps
	behind := ridOf(resume)
	if filter.points && len(steps) == 1 {
		s.prefix = len(steps[0].low)
		if behind != nil {
			s.ranges = rangesAfter(steps, append(slices.Clone(steps[0].low), behind...), false)
		}
		return access{source: s, description: text, filterIndexed: true}, nil
	}
	ok, err := s.listRIDs(behind, p.maxEntries)
	if !ok || err != nil {
		return access{}, err
	}
	return access{source: s, description: text + ", listed", filterIndexed: true}, nil
}

// listRIDs reads the rids of all entries after a position and sorts them. ok is false if there are more than limit.
func (s *source) listRIDs(after []byte, limit int) (ok bool, err error) {
	rids := []uint64{}
	for n := 0; ; n++ {
		more, err := s.walk()
		if err != nil || n > limit {
			s.close()
			return false, err
		}
		if !more {
			break
		}
		if s.global && !s.scope.holds(s.it.Value()) {
			continue
		}
		s.q.reads.Entries++
		key := s.it.Key()
		if rid := key[len(key)-ridSize:]; bytes.Compare(rid, after) > 0 {
			rids = append(rids, binary.BigEndian.Uint64(rid))
		}
	}
	slices.Sort(rids)
	s.rids = slices.Compact(rids)
	return true, nil
}

// scanAccess uses the list of a logical partition's items, or else scans all items, in creation order.
func (p *accessPlan) scanAccess(q *DocumentQuery, r *lag.View, resume *sql.State) access {
	if p.itemIndex == nil || !p.itemIndex.Usable() {
		return access{source: q.scanAll(r, p.scope, resume), description: "all items"}
	}
	items := candidate{index: p.itemIndex, spec: p.itemIndex.Spec, ranges: []index.Range{{}}}
	s := q.newSource(r, p.scope)
	s.ranges = p.entryRanges(&items, false)
	s.prefix = len(s.ranges[0].low)
	if at := ridOf(resume); at != nil {
		s.ranges = rangesAfter(s.ranges, append(slices.Clone(s.ranges[0].low), at...), false)
	}
	return access{source: s, description: "all items of the partition"}
}

// IndexText returns a description of an index for logs and messages.
func IndexText(s index.Spec) string {
	var parts []string
	for _, p := range s.Paths {
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
