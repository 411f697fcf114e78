package sql

import (
	"context"
	"errors"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/builtin"
)

// The bounds of a page, ours: the service documents none but its time, after which a page ends and the next one
// continues. A step is about a comparison or 16 bytes of text, 5 to 50 ns.
const (
	mostSteps  = 1 << 27          // of one page, after which the query is refused
	sliceSteps = 1 << 25          // after which a page of a query that streams ends, for another to continue
	mostBytes  = 256 << 20        // of values that the query makes and holds
	mostTime   = 30 * time.Second // of one page, by the machine's clock
	mostHeld   = 1 << 20          // rows that are held at once, by a sort, a group, a subquery

	rowSteps  = 8    // of a row that is looked at
	callSteps = 2000 // of a call of a user-defined function
)

// Limits are the bounds of a page of a query, within a pool of memory that several queries share; nil is none.
func Limits(pool *budget.Pool) budget.Limits {
	return budget.Limits{Steps: mostSteps, Bytes: mostBytes, Time: mostTime, Pool: pool}
}

// The sizes in bytes of what values are made of.
const (
	valueBytes  = 80
	memberBytes = 96
	entryBytes  = 160 // of a row that is sorted, or an entry of a map of seen rows
)

// Work and memory are counted in portions, so that a row costs two additions.
const (
	stepPortion = 512
	bytePortion = 16 << 10
)

// step counts work, and reports whether there may be more.
func (f *frame) step(n int) bool {
	if f.pending += n; f.pending < stepPortion {
		return f.err == nil
	}
	return f.countSteps()
}

// countSteps counts the work so far against the budget.
func (f *frame) countSteps() bool {
	if err := f.budget.Step(f.pending); err != nil {
		f.end(err)
	}
	f.pending = 0
	return f.err == nil
}

// steps is how many steps the budget and this frame have counted.
func (f *frame) steps() int64 { return f.budget.Steps() + int64(f.pending) }

// grow counts bytes of values that are made, and reports whether there may be more. They are given back once their row
// is done, unless it is kept.
func (f *frame) grow(n int) bool {
	if f.made += n; f.made <= f.charged {
		return f.err == nil
	}
	return f.charge()
}

// charge takes what is made from the budget.
func (f *frame) charge() bool {
	n := max(f.made-f.charged, bytePortion)
	if !f.hold(n) {
		return false
	}
	f.charged += n
	return true
}

// end ends the query: a bound of its own makes an error of the language; the pool's and the context's stay what they
// are.
func (f *frame) end(err error) {
	switch {
	case f.err != nil:
	case errors.Is(err, budget.ErrSteps), errors.Is(err, budget.ErrTime):
		f.err = faultTooMuchWork.at(ast.Span{}, mostSteps)
	case errors.Is(err, budget.ErrBytes):
		f.err = faultTooMuchMemory.at(ast.Span{}, mostBytes)
	default:
		f.err = err
	}
}

// row is where the values of a row begin among those that are made, and how many of its bytes are kept.
type row struct{ begin, kept int }

// beginRow begins a row within the one that is being made, which endRow continues.
func (f *frame) beginRow() (around row) {
	around, f.row = f.row, row{begin: f.made}
	return around
}

// endRow gives the bytes of the row back but for those that are kept.
func (f *frame) endRow(around row) {
	f.made = f.row.begin + f.row.kept
	f.row = around
	if f.charged-f.made > manyPortions {
		f.discharge()
	}
}

// manyPortions is how many bytes stay charged for the rows to come.
const manyPortions = 16 * bytePortion

// discharge gives back to the budget what is not made any more.
func (f *frame) discharge() {
	f.budget.Shrink(f.charged - f.made)
	f.charged = f.made
}

// keep counts a value of the row that outlives it: a scalar by its size, arrays and objects by all that the row made.
func (f *frame) keep(v doc.Value) bool {
	if k := v.Kind(); k == doc.List || k == doc.Map {
		f.row.kept = f.made - f.row.begin
	}
	return f.keepBytes(valueBytes + len(v.Str()))
}

// keepBytes counts bytes that outlive the row.
func (f *frame) keepBytes(n int) bool {
	f.row.kept += n
	return f.grow(n)
}

// keepWhole counts a value that outlives its document, with all of the document that it holds, until forget.
func (f *frame) keepWhole(v doc.Value) (bytes int, ok bool) {
	bytes = mostBytes - left(&v, mostBytes)
	return bytes, f.step(bytes/valueBytes) && f.hold(bytes)
}

// hold counts bytes that outlive all rows, until forget.
func (f *frame) hold(bytes int) bool {
	if err := f.budget.Grow(bytes); err != nil {
		f.end(err)
	}
	return f.err == nil
}

// forget gives bytes back that were held.
func (f *frame) forget(bytes int) { f.budget.Shrink(bytes) }

// left is what the memory of a value leaves of so many bytes. It is walked no further than those.
func left(v *doc.Value, bytes int) int {
	text, parts := v.Extent()
	if bytes -= valueBytes + text; parts == 0 { // as nearly all
		return max(0, bytes)
	}
	elements, members := v.Elements(), v.Members()
	for i := 0; i < len(elements) && bytes > 0; i++ {
		bytes = left(&elements[i], bytes)
	}
	for i := 0; i < len(members) && bytes > 0; i++ {
		bytes = left(&members[i].Value, bytes-len(members[i].Name)-memberBytes+valueBytes)
	}
	return max(0, bytes)
}

// stepOver counts looking at a value that is compared, copied or searched.
func (f *frame) stepOver(v *doc.Value) bool {
	switch text, parts := v.Extent(); {
	case parts > 0:
		weight := builtin.Weight(*v)
		if weight >= builtin.MaxWeight { // values that share parts can be larger than all memory
			f.end(budget.ErrBytes)
		}
		return f.step(weight)
	case text > 0:
		return f.step(1 + text/bytesPerStep)
	}
	return f.err == nil
}

// newBudget is the one that the caller gave, or one of this package's own bounds.
func newBudget(ctx context.Context, given *budget.Budget) *budget.Budget {
	if given != nil {
		return given
	}
	return budget.New(ctx, Limits(nil))
}
