package sql

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/builtin"
)

// entry is a row with its sort keys. Rows with equal keys are ordered by the position of the document, then by their
// number among the document's rows.
type entry struct {
	keys []doc.Value
	at   []byte
	n    int
	row  doc.Value
	seen int // its number among all rows

	bytes int // that it takes of the budget
}

// hold counts the memory of a collected row with its sort keys and the values that a ranking compares.
func (r *run) hold(e *entry, compared ...doc.Value) int {
	rest := left(&e.row, mostBytes)
	for _, values := range [...][]doc.Value{e.keys, compared} {
		for i := range values {
			rest = left(&values[i], rest)
		}
	}
	bytes := mostBytes - rest + entryBytes + len(e.at)
	r.frame.step(bytes / valueBytes)
	r.frame.hold(bytes)
	return bytes
}

// collect reads all documents for a page. The page contains the first rows after the last row of the previous page, in
// an order that does not depend on other rows. Thus pages neither repeat nor lose a row, whatever changes between them.
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

// firstSeen reports whether rows without ORDER BY can be returned in the order of their documents, which is possible if
// all fit into the first page.
func (r *run) firstSeen(rows []entry) bool {
	if !r.first || len(r.block.order) > 0 || r.block.rank != nil || r.block.byValue {
		return false
	}
	whole := 0
	for i := range rows {
		whole += size(rows[i].row)
	}
	o := r.options
	return (o.Rows <= 0 || int64(len(rows)) <= int64(o.Rows)+r.offset) && (o.Bytes <= 0 || whole < o.Bytes)
}

// entries returns the rows after the cursor, sorted, and at least as many as the page may need.
func (r *run) entries() ([]entry, error) {
	switch {
	case r.block.grouped:
		return r.groups()
	case r.block.rank != nil:
		return r.ranked()
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

// need returns the number of rows that a page may take, plus one to detect further rows; 0: all.
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
			return r.frame.holds(len(g.all))
		})
	})
	if err != nil {
		return nil, err
	}
	var rows []entry
	for i, one := range g.all {
		if row := g.row(r.frame, one); row.Defined() && r.frame.err == nil {
			rows = append(rows, entry{keys: append(r.orderKeys(), one.key...), row: row, seen: i})
		}
	}
	return r.rest(rows), r.frame.err
}

// orderKeys returns the values of the ORDER BY items.
func (r *run) orderKeys() []doc.Value {
	keys := make([]doc.Value, len(r.block.order))
	for i := range r.block.order {
		keys[i] = r.block.order[i].value(r.frame)
	}
	return keys
}

// rest sorts all rows of a query, removes duplicates if DISTINCT is set, and drops the rows of previous pages.
func (r *run) rest(rows []entry) []entry {
	slices.SortStableFunc(rows, r.compare)
	if r.block.distinct {
		seen := map[string]bool{}
		rows = slices.DeleteFunc(rows, func(e entry) bool {
			key := builtin.Key(e.row)
			twice := seen[key]
			seen[key] = true
			return twice
		})
	}
	return slices.DeleteFunc(rows, func(e entry) bool { return !r.behindCursor(&e) })
}

// compare orders rows. Rows with equal keys are in the order of their documents, reversed if the first key is
// descending.
func (r *run) compare(a, b entry) int {
	for i := range a.keys {
		c := doc.Compare(a.keys[i], b.keys[i])
		if r.block.descends(i) {
			c = -c
		}
		if c != 0 {
			return c
		}
	}
	c := cmp.Or(bytes.Compare(a.at, b.at), cmp.Compare(a.n, b.n))
	if len(r.block.order) > 0 && r.block.descends(0) {
		return -c
	}
	return c
}

// descends reports whether rows with greater values of a key come first.
func (b *block) descends(key int) bool {
	return b.rank != nil || key < len(b.order) && b.order[key].desc
}

func (r *run) behindCursor(e *entry) bool {
	if !r.resume.hasAfter {
		return true
	}
	return r.compare(*e, entry{keys: r.resume.after, at: r.resume.afterAt, n: r.resume.afterN}) > 0
}
