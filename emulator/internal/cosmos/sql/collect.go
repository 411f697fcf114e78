package sql

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/builtin"
)

// entry is a row with what it is sorted by: keys, and among equals its document's position and its number among its rows.
type entry struct {
	keys []doc.Value
	at   []byte
	n    int
	row  doc.Value
	seen int // its number among all rows
}

// collect reads all documents for a page: the rows of a page are the first ones behind the last one of the page before, in
// an order that does not depend on what else there is. So pages neither repeat nor lose a row, whatever changes between.
func (r *run) collect() error {
	if r.left == 0 {
		return nil
	}
	rows, err := r.entries()
	if err != nil {
		return err
	}
	if r.firstSeen(rows) {
		slices.SortFunc(rows, func(a, b entry) int { return cmp.Compare(a.seen, b.seen) })
	}
	rows = rows[min(int64(len(rows)), r.offset):]
	r.offset = 0
	for i := range rows {
		if r.left == 0 {
			return nil
		}
		if r.full() {
			last := &rows[i-1]
			r.page.State = &State{left: r.left, after: last.keys, afterAt: last.at, afterN: last.n, hasAfter: true}
			return nil
		}
		if err := r.put(rows[i].row); err != nil {
			return err
		}
	}
	return nil
}

// firstSeen says that rows without an order come in that of their documents: where all fit into the first page.
func (r *run) firstSeen(rows []entry) bool {
	if !r.first || len(r.block.order) > 0 || r.block.byValue {
		return false
	}
	whole := 0
	for i := range rows {
		whole += size(rows[i].row)
	}
	o := r.options
	return (o.Rows <= 0 || int64(len(rows)) <= int64(o.Rows)+r.offset) && (o.Bytes <= 0 || whole < o.Bytes)
}

// entries are the rows from the cursor on, sorted, and at least as many of them as the page may need.
func (r *run) entries() ([]entry, error) {
	if r.block.grouped {
		return r.groups()
	}
	kept := &sorted{run: r, need: r.need(), least: map[string]int{}}
	err := r.documents(func(at []byte) bool {
		n := 0
		return r.block.each(r.frame, 0, func() bool {
			e := entry{at: at, n: n, seen: r.page.Matched}
			n++
			r.page.Matched++
			return kept.add(e)
		})
	})
	kept.settle()
	return kept.rows, err
}

// need is how many rows a page may take, and one more to see that there are more; 0: all.
func (r *run) need() int {
	need := int64(0)
	if r.options.Rows > 0 {
		need = r.offset + int64(r.options.Rows) + 1
	}
	if r.left >= 0 && (need == 0 || r.offset+r.left < need) {
		need = r.offset + r.left
	}
	return int(need)
}

func (r *run) groups() ([]entry, error) {
	g := newGroups(r.block)
	err := r.documents(func([]byte) bool {
		return r.block.each(r.frame, 0, func() bool {
			r.page.Matched++
			g.add(r.frame)
			return true
		})
	})
	if err != nil {
		return nil, err
	}
	var rows []entry
	seen := map[string]bool{}
	for i, one := range g.all {
		row := g.row(r.frame, one)
		if !row.Defined() {
			continue
		}
		if r.block.distinct {
			key := builtin.Key(row)
			if seen[key] {
				continue
			}
			seen[key] = true
		}
		rows = append(rows, entry{keys: one.key, row: row, seen: i})
	}
	slices.SortFunc(rows, r.compare)
	return slices.DeleteFunc(rows, func(e entry) bool { return !r.behindCursor(&e) }), r.frame.err
}

// compare orders rows; of rows with equal keys that of the earlier document comes first, or last where the first key
// descends.
func (r *run) compare(a, b entry) int {
	for i := range a.keys {
		c := doc.Compare(a.keys[i], b.keys[i])
		if i < len(r.block.order) && r.block.order[i].desc {
			c = -c
		}
		if c != 0 {
			return c
		}
	}
	c := cmp.Or(bytes.Compare(a.at, b.at), cmp.Compare(a.n, b.n))
	if len(r.block.order) > 0 && r.block.order[0].desc {
		return -c
	}
	return c
}

func (r *run) behindCursor(e *entry) bool {
	if !r.resume.hasAfter {
		return true
	}
	return r.compare(*e, entry{keys: r.resume.after, at: r.resume.afterAt, n: r.resume.afterN}) > 0
}
