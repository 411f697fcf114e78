package sql

import (
	"bytes"
	"context"
	"encoding/binary"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// Source provides the documents of a container, or those that an access path finds, in its order.
type Source interface {
	// Next returns the next document and its position. The position identifies the document and does not change while
	// the document exists. ok is false at the end. After it has skipped many documents, Next may return an undefined one,
	// at the position of the last: a page may end there.
	Next(ctx context.Context) (document doc.Value, at []byte, ok bool, err error)
}

// Options configures a page.
type Options struct {
	Rows    int  // maximum number; 0: no limit
	Bytes   int  // no more rows once the page has about this many bytes of JSON; 0: no limit
	Ordered bool // the source returns documents in the order of Shape().Order

	// Budget limits the page, see Limits; nil: a default budget. The caller closes it after it has written the rows.
	Budget *budget.Budget

	// Write, if it is set, writes each row of the page before the next document is read, and returns its size in bytes.
	// Page.Rows stays empty.
	Write func(row doc.Value) int

	LookAhead bool // always look for another row when a page is full, whatever the query
}

// Page is a page of a query's result.
type Page struct {
	Rows      []doc.Value
	State     *State // where the next page continues; nil: this is the last page
	Documents int    // read from the source
	Matched   int    // rows that passed the filter
}

// Run runs a page of the query. src must start after resume.ResumeAfter or, for the first page, for which resume is
// nil, at the beginning. The error is an *Error, or one of the source, of a user-defined function, or of ctx.
func (p *Program) Run(ctx context.Context, src Source, resume *State, o Options) (*Page, error) {
	b := newBudget(ctx, o.Budget)
	if o.Budget == nil {
		defer b.Close()
	}
	r := &run{block: p.block, frame: p.frame(ctx, b), src: src, options: o, page: &Page{}}
	r.lookAhead = o.LookAhead || len(p.block.order) > 0 || len(p.Shape().Where) > 0
	if !r.begin(resume) {
		return nil, ErrState
	}
	if len(r.block.sources) == 0 {
		r.src = &values{rows: []doc.Value{doc.NullValue()}}
	}
	if err := r.prepare(r.block); err != nil {
		return nil, err
	}
	err := r.stream
	if r.mustCollect() {
		err = r.collect
	}
	if err := err(); err != nil {
		return nil, err
	}
	if !r.frame.countSteps() { // of the last function called
		return nil, r.frame.err
	}
	return r.page, nil
}

// run is the state of a page in progress.
type run struct {
	block     *block
	frame     *frame
	src       Source
	options   Options
	page      *Page
	resume    State
	first     bool  // the first page
	offset    int64 // rows still to be skipped
	remaining int64 // rows still to be returned; -1: all
	rows      int   // in the page
	bytes     int   // of these rows
	// lookAhead is set if a full page looks for another row.
	lookAhead bool
	// skipped, if it is set, is called with the position up to which the source skipped documents. It returns false to end
	// the page.
	skipped func(at []byte) bool
}

// begin restores a state. It returns false if the state is not one of this query.
func (r *run) begin(resume *State) bool {
	r.offset, r.remaining = r.block.offset, r.block.limit
	r.first = resume == nil
	if resume != nil {
		r.resume = *resume
		r.offset, r.remaining = resume.offset, resume.remaining
	}
	keys := len(r.resume.cursorKeys)
	return keys == 0 || keys == r.block.sortKeys()
}

// sortKeys returns the number of sort keys of a query that collects.
func (b *block) sortKeys() int {
	switch {
	case b.grouped:
		return len(b.order) + len(b.keys)
	case b.rank != nil:
		return 1
	case b.distinct && len(b.order) == 0:
		return 1
	}
	return len(b.order)
}

// prepare turns the rows of the block's under into documents.
func (r *run) prepare(b *block) error {
	if b.under == nil {
		return nil
	}
	if err := r.prepare(b.under); err != nil {
		return err
	}
	rows, err := r.materialize(b.under)
	r.src = &values{rows: rows, inner: true}
	if b == r.block && r.resume.innerResumeAfter != nil {
		r.src.(*values).skipTo(r.resume.innerResumeAfter)
	}
	return err
}

// materialize returns the rows of a block over all documents.
func (r *run) materialize(b *block) (rows []doc.Value, err error) {
	yield := func(row doc.Value) bool {
		rows = append(rows, row)
		_, ok := r.frame.keepWhole(row)
		return ok && r.frame.checkRowsHeld(len(rows))
	}
	if b.distinct {
		yield = distinctRows(r.frame, yield)
	}
	g := newGroups(b)
	err = r.documents(func([]byte) bool {
		return b.forEachRow(r.frame, 0, func() bool {
			if b.grouped {
				g.add(r.frame)
				return r.frame.checkRowsHeld(len(g.all))
			}
			row := b.project(r.frame)
			return !row.Defined() || yield(row)
		})
	})
	if b.grouped {
		g.emit(r.frame, yield)
	}
	return rows, err
}

// documents calls visit for each document until visit returns false.
func (r *run) documents(visit func(at []byte) bool) error {
	for {
		document, at, ok, err := r.src.Next(r.frame.ctx)
		if err != nil {
			return err
		}
		if !ok {
			return r.frame.err // of the last row
		}
		if !document.Defined() {
			if r.skipped != nil && !r.skipped(at) {
				return r.frame.err
			}
			continue
		}
		r.page.Documents++
		r.frame.slots[containerSlot] = document
		if !r.frame.step(rowSteps) {
			return r.frame.err
		}
		if !visit(at) {
			return r.frame.err
		}
	}
}

// mustCollect reports whether all documents must be read before the first row.
func (r *run) mustCollect() bool {
	b := r.block
	ordered := len(b.order) == 0 || r.options.Ordered
	return b.grouped || b.rank != nil || !ordered || b.distinct && !(b.adjacent && r.options.Ordered)
}

// addRow adds a row to the page. It fails if JSON cannot represent a number in the row.
func (r *run) addRow(row doc.Value) error {
	if r.block.computes && !finite(row) {
		return faultNotFinite.at(ast.Span{})
	}
	if err := r.putRow(row); err != nil {
		return err
	}
	r.rows++
	if r.remaining > 0 {
		r.remaining--
	}
	return nil
}

// putRow writes a row, or keeps it in the page.
func (r *run) putRow(row doc.Value) error {
	if r.options.Write != nil {
		n := r.options.Write(row)
		r.bytes += n
		r.frame.step(n / bytesPerStep)
		return r.frame.err
	}
	if _, ok := r.frame.keepWhole(row); !ok {
		return r.frame.err
	}
	r.page.Rows = append(r.page.Rows, row)
	if r.options.Bytes > 0 {
		r.bytes += size(row)
	}
	return nil
}

func (r *run) full() bool {
	return r.options.Rows > 0 && r.rows >= r.options.Rows || r.options.Bytes > 0 && r.bytes >= r.options.Bytes
}

// values is a Source of given rows.
type values struct {
	rows  []doc.Value
	next  int
	inner bool
}

func (v *values) skipTo(at []byte) {
	for v.next < len(v.rows) && bytes.Compare(position(v.next), at) <= 0 {
		v.next++
	}
}

func position(i int) []byte { return binary.BigEndian.AppendUint64(nil, uint64(i)) }

// Next implements Source.
func (v *values) Next(context.Context) (doc.Value, []byte, bool, error) {
	if v.next >= len(v.rows) {
		return doc.Value{}, nil, false, nil
	}
	v.next++
	return v.rows[v.next-1], position(v.next - 1), true, nil
}

// size returns the approximate length of a value as JSON.
func size(v doc.Value) int {
	n := 2
	switch v.Kind() {
	case doc.Text:
		n += len(v.Str())
	case doc.Numeric:
		n += 6
	case doc.List:
		for _, e := range v.Elements() {
			n += size(e) + 1
		}
	case doc.Map:
		for i := range v.Members() {
			n += len(v.Members()[i].Name) + 4 + size(v.Members()[i].Value)
		}
	}
	return n
}
