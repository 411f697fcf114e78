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
	keys      []doc.Value
	position  []byte
	rowNumber int
	row       doc.Value
	ordinal   int // its number among all rows

	bytes int // that it takes of the budget
}

// accountRow counts the memory of a collected row with its sort keys and the values that a ranking compares.
func (r *run) accountRow(e *entry, compared ...doc.Value) int {
	rest := remainingBytes(&e.row, maxBytes)
	for _, values := range [...][]doc.Value{e.keys, compared} {
		for i := range values {
			rest = remainingBytes(&values[i], rest)
		}
	}
	bytes := maxBytes - rest + entryBytes + len(e.position)
	r.frame.step(bytes / valueBytes)
	r.frame.hold(bytes)
	return bytes
}

// collect reads all documents for a page. The page contains the first rows after the last row of the previous page, in
// an order that does not depend on other rows. Thus pages neither repeat nor lose a row, whatever changes between them,
// unless the values of the last row are too long for a continuation.
func (r *run) collect() error {
	if r.remaining == 0 {
		return nil
	}
	rows, err := r.entries()
	if err != nil {
		return err
	}
	if r.fitsInDocumentOrder(rows) {
		slices.SortFunc(rows, func(a, b entry) int { return cmp.Compare(a.ordinal, b.ordinal) })
	}
	passed := r.offset + r.resume.cursorPassed
	rows = rows[min(int64(len(rows)), r.offset):]
	r.offset = 0
	for i := range rows {
		if r.remaining == 0 {
			return nil
		}
		if r.full() {
			r.page.State = r.stateAfter(&rows[i-1], passed+int64(i))
			return nil
		}
		if err := r.addRow(rows[i].row); err != nil {
			return err
		}
	}
	return nil
}

// maxCursorBytes is the maximum length of a State with the values of a row: clients send it in a header.
const maxCursorBytes = 4 << 10

// stateAfter returns the State after a row. passed is the number of rows up to it. If the values of the row are too
// long, the next page skips that many rows.
func (r *run) stateAfter(last *entry, passed int64) *State {
	s := &State{remaining: r.remaining, cursorKeys: last.keys, cursorPosition: last.position, cursorRow: last.rowNumber,
		cursorPassed: passed, hasCursor: true}
	if len(s.Append(nil)) > maxCursorBytes {
		return &State{remaining: r.remaining, offset: passed, hasCursor: true}
	}
	return s
}

// fitsInDocumentOrder reports whether rows without ORDER BY can be returned in the order of their documents, which is
// possible if all fit into the first page.
func (r *run) fitsInDocumentOrder(rows []entry) bool {
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
	kept := &topRows{run: r, limit: r.rowsNeeded(), firstByRow: map[string]int{}}
	err := r.documents(func(at []byte) bool {
		n := 0
		return r.block.forEachRow(r.frame, 0, func() bool {
			e := entry{position: at, rowNumber: n, ordinal: r.page.Matched}
			n++
			r.page.Matched++
			return kept.add(e)
		})
	})
	kept.prune()
	return kept.rows, err
}

// rowsNeeded returns the number of rows that a page may take, plus one to detect further rows; 0: all.
func (r *run) rowsNeeded() int {
	need := int64(0)
	if r.options.Rows > 0 {
		need = r.offset + int64(r.options.Rows) + 1
	}
	if r.remaining >= 0 && (need == 0 || r.offset+r.remaining < need) {
		need = r.offset + r.remaining
	}
	return int(need)
}

func (r *run) groups() ([]entry, error) {
	g := newGroups(r.block)
	err := r.documents(func([]byte) bool {
		return r.block.forEachRow(r.frame, 0, func() bool {
			r.page.Matched++
			g.add(r.frame)
			return r.frame.checkRowsHeld(len(g.all))
		})
	})
	if err != nil {
		return nil, err
	}
	var rows []entry
	for i, group := range g.all {
		if row := g.row(r.frame, group); row.Defined() && r.frame.err == nil {
			rows = append(rows, entry{keys: append(r.orderKeys(), group.key...), row: row, ordinal: i})
		}
	}
	rows = r.finishRows(rows)
	return rows, r.frame.err
}

// orderKeys returns the values of the ORDER BY items.
func (r *run) orderKeys() []doc.Value {
	keys := make([]doc.Value, len(r.block.order))
	for i := range r.block.order {
		keys[i] = r.block.order[i].value(r.frame)
	}
	return keys
}

// finishRows sorts all rows of a query, removes duplicates if DISTINCT is set, and drops the rows of previous pages.
func (r *run) finishRows(rows []entry) []entry {
	slices.SortStableFunc(rows, r.compare)
	if r.block.distinct {
		seen := map[string]bool{}
		rows = slices.DeleteFunc(rows, func(e entry) bool {
			if !r.frame.stepOver(&e.row) {
				return true
			}
			key := builtin.Key(e.row)
			if seen[key] {
				return true
			}
			seen[key] = true
			r.frame.hold(entryBytes + len(key))
			return false
		})
	}
	return slices.DeleteFunc(rows, func(e entry) bool { return !r.afterCursor(&e) })
}

// compare orders rows. Rows with equal keys are in the order of their documents, reversed if the first key is
// descending.
func (r *run) compare(a, b entry) int {
	for i := range a.keys {
		c := doc.Compare(a.keys[i], b.keys[i])
		if r.block.isDescending(i) {
			c = -c
		}
		if c != 0 {
			return c
		}
	}
	c := cmp.Or(bytes.Compare(a.position, b.position), cmp.Compare(a.rowNumber, b.rowNumber))
	if len(r.block.order) > 0 && r.block.isDescending(0) {
		return -c
	}
	return c
}

// isDescending reports whether rows with greater values of a key come first.
func (b *block) isDescending(key int) bool {
	return b.rank != nil || key < len(b.order) && b.order[key].desc
}

func (r *run) afterCursor(e *entry) bool {
	if len(r.resume.cursorKeys) == 0 {
		return true
	}
	return r.compare(*e, entry{keys: r.resume.cursorKeys, position: r.resume.cursorPosition,
		rowNumber: r.resume.cursorRow}) > 0
}
