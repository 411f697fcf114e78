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

// The limits of a page. They are the emulator's own: the service only documents a time limit, after which a page ends
// and the next one continues. A step is about a comparison or 16 bytes of text, 5 to 50 ns.
const (
	maxSteps    = 1 << 27          // per page; beyond it the query fails
	sliceSteps  = 1 << 25          // after which a page of a streaming query ends, for the next one to continue
	maxBytes    = 256 << 20        // of values that the query makes and holds
	maxTime     = 30 * time.Second // per page, on the machine's clock
	maxRowsHeld = 1 << 20          // rows held at once, by a sort, a group or a subquery

	rowSteps  = 8    // per row read
	callSteps = 2000 // per call of a user-defined function
)

// Limits returns the limits of a query page. pool is the memory shared by several queries; nil: not shared.
func Limits(pool *budget.Pool) budget.Limits {
	return budget.Limits{Steps: maxSteps, Bytes: maxBytes, Time: maxTime, Pool: pool}
}

// The sizes of values in memory, in bytes.
const (
	valueBytes  = 80
	memberBytes = 96
	entryBytes  = 160 // of a row that is sorted, or of an entry in a map of rows
)

// Work and memory are counted in portions, so that a row costs only two additions.
const (
	stepPortion = 512
	bytePortion = 16 << 10
)

// step counts work and reports whether the query may continue.
func (f *frame) step(n int) bool {
	if f.pending += n; f.pending < stepPortion {
		return f.err == nil
	}
	return f.countSteps()
}

// countSteps counts the pending work in the budget.
func (f *frame) countSteps() bool {
	if err := f.budget.Step(f.pending); err != nil {
		f.end(err)
	}
	f.pending = 0
	return f.err == nil
}

// steps returns the number of steps counted in the budget and pending.
func (f *frame) steps() int64 { return f.budget.Steps() + int64(f.pending) }

// grow counts bytes of new values and reports whether the query may continue. They are released at the end of their
// row, unless they are kept.
func (f *frame) grow(n int) bool {
	if f.made += n; f.made <= f.charged {
		return f.err == nil
	}
	return f.charge()
}

// charge counts the new values in the budget.
func (f *frame) charge() bool {
	n := max(f.made-f.charged, bytePortion)
	if !f.hold(n) {
		return false
	}
	f.charged += n
	return true
}

// end ends the query.
func (f *frame) end(err error) {
	if f.err == nil {
		f.err = LimitError(err)
	}
}

// LimitError converts the error of an exceeded limit to an *Error. Errors of the pool and of the context stay as they
// are.
func LimitError(err error) error {
	switch {
	case errors.Is(err, budget.ErrSteps), errors.Is(err, budget.ErrTime):
		return faultTooMuchWork.at(ast.Span{}, maxSteps)
	case errors.Is(err, budget.ErrBytes):
		return faultTooMuchMemory.at(ast.Span{}, maxBytes)
	}
	return err
}

// row records where the values of a row begin, and how many of its bytes are kept.
type row struct{ begin, kept int }

// beginRow begins a row within the current one, to which endRow returns.
func (f *frame) beginRow() (around row) {
	around, f.row = f.row, row{begin: f.made}
	return around
}

// endRow releases the bytes of the row that are not kept.
func (f *frame) endRow(around row) {
	f.made = f.row.begin + f.row.kept
	f.row = around
	if f.charged-f.made > manyPortions {
		f.discharge()
	}
}

// manyPortions is the number of bytes that stay charged for further rows.
const manyPortions = 16 * bytePortion

// discharge returns released bytes to the budget.
func (f *frame) discharge() {
	f.budget.Shrink(f.charged - f.made)
	f.charged = f.made
}

// keep counts a value that outlives its row: scalars by their size, arrays and objects by everything that the row made.
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

// keepWhole counts a value that outlives its document, including all parts of the document that it references, until
// forget.
func (f *frame) keepWhole(v doc.Value) (bytes int, ok bool) {
	bytes = wholeBytes(&v)
	return bytes, f.step(bytes/valueBytes) && f.hold(bytes)
}

// hold counts bytes that outlive all rows, until forget.
func (f *frame) hold(bytes int) bool {
	if err := f.budget.Grow(bytes); err != nil {
		f.end(err)
	}
	return f.err == nil
}

// release releases held bytes.
func (f *frame) release(bytes int) { f.budget.Shrink(bytes) }

// wholeBytes returns the memory of a value with all its parts, and at most maxBytes.
func wholeBytes(v *doc.Value) int { return maxBytes - remainingBytes(v, maxBytes) }

// remainingBytes returns bytes minus the memory of a value, and not less than 0. It stops when nothing is left.
func remainingBytes(v *doc.Value, bytes int) int {
	text, parts := v.Extent()
	if bytes -= valueBytes + text; parts == 0 { // true of nearly all values
		return max(0, bytes)
	}
	elements, members := v.Elements(), v.Members()
	for i := 0; i < len(elements) && bytes > 0; i++ {
		bytes = remainingBytes(&elements[i], bytes)
	}
	for i := 0; i < len(members) && bytes > 0; i++ {
		bytes = remainingBytes(&members[i].Value, bytes-len(members[i].Name)-memberBytes+valueBytes)
	}
	return max(0, bytes)
}

// stepOver counts the work of comparing, copying or searching a value.
func (f *frame) stepOver(v *doc.Value) bool {
	switch text, parts := v.Extent(); {
	case parts > 0:
		weight := builtin.Weight(*v)
		if weight >= builtin.MaxWeight { // values that share parts can exceed all memory
			f.end(budget.ErrBytes)
		}
		return f.step(weight)
	case text > 0:
		return f.step(1 + text/bytesPerStep)
	}
	return f.err == nil
}

// newBudget returns the caller's budget, or one with this package's limits.
func newBudget(ctx context.Context, given *budget.Budget) *budget.Budget {
	if given != nil {
		return given
	}
	return budget.New(ctx, Limits(nil))
}
