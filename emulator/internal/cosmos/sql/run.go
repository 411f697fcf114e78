package sql

import (
	"bytes"
	"context"
	"encoding/binary"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// Source gives the documents of a container, or those of them that an access path has found, in its order.
type Source interface {
	// Next gives the next document and its position: the same at each reading as long as the document stays, and of no
	// other document. ok is false at the end.
	Next(ctx context.Context) (document doc.Value, at []byte, ok bool, err error)
}

// Options say how a page is made.
type Options struct {
	Rows    int  // at most so many; 0: any number
	Bytes   int  // no further row once so many bytes of JSON, roughly, are in the page; 0: any number
	Ordered bool // the source gives documents in the order of Shape().Order

	// Budget is what the page may use, with Limits; nil: a budget of its own. The caller closes it once it has written
	// the rows.
	Budget *budget.Budget

	Foresees bool // a full page looks whether there is another row, whatever the query
}

// Page is a part of a query's result.
type Page struct {
	Rows      []doc.Value
	State     *State // where the next page begins; nil: there is none
	Documents int    // read from the source
	Matched   int    // of rows that passed the filter
}

// Run makes a page. The source is to begin behind resume.Behind, for the first page, without resume, at its start. The
// errors are *Error, those of the source, of user-defined functions, and of ctx.
func (p *Program) Run(ctx context.Context, src Source, resume *State, o Options) (*Page, error) {
	b := newBudget(ctx, o.Budget)
	if o.Budget == nil {
		defer b.Close()
	}
	r := &run{block: p.block, frame: p.frame(ctx, b), src: src, options: o, page: &Page{}}
	r.foresees = o.Foresees || len(p.block.order) > 0 || len(p.Shape().Where) > 0
	if !r.begin(resume) {
		return nil, ErrState
	}
	if len(r.block.sources) == 0 {
		r.src = &values{rows: []doc.Value{{}}}
	}
	if err := r.prepare(r.block); err != nil {
		return nil, err
	}
	err := r.stream
	if r.collects() {
		err = r.collect
	}
	if err := err(); err != nil {
		return nil, err
	}
	if !r.frame.countSteps() { // in the last function that was called
		return nil, r.frame.err
	}
	return r.page, nil
}

// run is one making of a page.
type run struct {
	block   *block
	frame   *frame
	src     Source
	options Options
	page    *Page
	resume  State
	first   bool  // the first page
	offset  int64 // rows still to be passed over
	left    int64 // rows still to be given; -1: all
	bytes   int
	// foresees says that a page that is full looks whether there is another row.
	foresees bool
}

// begin takes a state over; false if it is not one of this query.
func (r *run) begin(resume *State) bool {
	r.offset, r.left = r.block.offset, r.block.limit
	r.first = resume == nil
	if resume != nil {
		r.resume = *resume
		r.offset, r.left = resume.offset, resume.left
	}
	return !r.resume.hasAfter || len(r.resume.after) == r.block.sortKeys()
}

// sortKeys is how many keys the rows of a query that collects have.
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

// prepare makes documents of the rows of a subquery that stands under the query.
func (r *run) prepare(b *block) error {
	if b.under == nil {
		return nil
	}
	if err := r.prepare(b.under); err != nil {
		return err
	}
	rows, err := r.all(b.under)
	r.src = &values{rows: rows, inner: true}
	if b == r.block && r.resume.inner != nil {
		r.src.(*values).behind(r.resume.inner)
	}
	return err
}

// all are the rows of a block over all documents.
func (r *run) all(b *block) (rows []doc.Value, err error) {
	yield := func(row doc.Value) bool {
		rows = append(rows, row)
		_, ok := r.frame.keepWhole(row)
		return ok && r.frame.holds(len(rows))
	}
	if b.distinct {
		yield = different(r.frame, yield)
	}
	g := newGroups(b)
	err = r.documents(func([]byte) bool {
		return b.each(r.frame, 0, func() bool {
			if b.grouped {
				g.add(r.frame)
				return r.frame.holds(len(g.all))
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

// documents shows each document until visit answers false.
func (r *run) documents(visit func(at []byte) bool) error {
	for {
		document, at, ok, err := r.src.Next(r.frame.ctx)
		if err != nil {
			return err
		}
		if !ok {
			return r.frame.err // of the last row
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

// collects says that all documents have to be read before the first row.
func (r *run) collects() bool {
	b := r.block
	ordered := len(b.order) == 0 || r.options.Ordered
	return b.grouped || b.rank != nil || !ordered || b.distinct && !(b.adjacent && r.options.Ordered)
}

// put adds a row to the page. A number that is no JSON ends the query.
func (r *run) put(row doc.Value) error {
	if r.block.computes && !finite(row) {
		return faultNotFinite.at(ast.Span{})
	}
	if _, ok := r.frame.keepWhole(row); !ok {
		return r.frame.err
	}
	r.page.Rows = append(r.page.Rows, row)
	if r.options.Bytes > 0 {
		r.bytes += size(row)
	}
	if r.left > 0 {
		r.left--
	}
	return nil
}

func (r *run) full() bool {
	return r.options.Rows > 0 && len(r.page.Rows) >= r.options.Rows || r.options.Bytes > 0 && r.bytes >= r.options.Bytes
}

// values is a Source of rows that are known.
type values struct {
	rows  []doc.Value
	next  int
	inner bool
}

func (v *values) behind(at []byte) {
	for v.next < len(v.rows) && bytes.Compare(position(v.next), at) <= 0 {
		v.next++
	}
}

func position(i int) []byte { return binary.BigEndian.AppendUint64(nil, uint64(i)) }

// Next gives the next row.
func (v *values) Next(context.Context) (doc.Value, []byte, bool, error) {
	if v.next >= len(v.rows) {
		return doc.Value{}, nil, false, nil
	}
	v.next++
	return v.rows[v.next-1], position(v.next - 1), true, nil
}

// size is about the length of a value as JSON.
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
