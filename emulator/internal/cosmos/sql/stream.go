package sql

import (
	"bytes"
	"slices"

	"github.com/twmb/murmur3"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/builtin"
)

// lookAheadDocuments is the maximum number of documents read to look for another row once a page is full. Beyond that,
// an empty page may follow.
const lookAheadDocuments = 1000

// stream returns rows in the order of their documents. A full page ends at once, so a full last page is followed by an
// empty one. Only with ORDER BY, or with a filter that an index may serve, it first looks for another row, as the
// service does (CosmosItemTest and DatabaseQueryTest of the Java SDK count such pages).
func (r *run) stream() error {
	if r.remaining == 0 {
		return nil
	}
	d := &document{run: r, last: r.resume.last, before: r.resume.ResumeAfter,
		within: slices.Clone(r.resume.partialDocuments), maxSteps: sliceSteps, first: r.page.Documents + 1}
	if r.block.under != nil { // each page runs the subquery first
		d.maxSteps = min(r.frame.steps()+sliceSteps, maxSteps-sliceSteps/8)
	}
	if r.resume.innerResumeAfter != nil {
		d.before = r.resume.innerResumeAfter
	}
	row := d.row
	r.skipped = d.skipped
	err := r.documents(func(at []byte) bool {
		d.begin(at)
		if r.frame.steps() > d.maxSteps && r.page.Documents > d.first { // the next page reads the rest
			r.page.State = d.state(0)
			return false
		}
		if r.full() {
			if d.ahead++; d.ahead > lookAheadDocuments {
				r.page.State = d.state(0)
				return false
			}
		}
		return r.block.forEachRow(r.frame, 0, row) && r.frame.err == nil
	})
	if d.failed != nil {
		return d.failed
	}
	return err
}

// document returns the rows of one document.
type document struct {
	run    *run
	before []byte // position of the previous document
	at     []byte
	skip   int               // rows that previous pages returned
	within []partialDocument // documents still to come of which previous pages returned rows
	n      int               // rows so far
	ahead  int               // documents read since the page was full
	last   [16]byte          // for DISTINCT: the hash of the previous row
	failed error

	first    int   // the number of the page's first document, among those that it read
	maxSteps int64 // steps of the page after which it ends
}

// begin moves to the next document. It reuses the memory of both positions.
func (d *document) begin(at []byte) {
	if d.at != nil {
		d.before, d.at = d.at, d.before
	}
	d.at = append(d.at[:0:cap(d.at)], at...)
	d.n, d.skip = 0, 0
	for i := range d.within {
		if bytes.Equal(at, d.within[i].at) {
			d.skip = d.within[i].rows
			d.within = slices.Delete(d.within, i, i+1)
			return
		}
	}
}

// skipped ends the page after the documents up to a position if it has taken its steps.
func (d *document) skipped(at []byte) bool {
	if d.run.frame.steps() <= d.maxSteps {
		return true
	}
	d.begin(at)
	d.run.page.State = d.state(0)
	d.run.page.State.ResumeAfter = d.at
	return false
}

// row adds the row in the frame. It returns false once the page is full.
func (d *document) row() bool {
	r := d.run
	row := r.block.project(r.frame)
	if !row.Defined() {
		return r.frame.err == nil
	}
	if d.n++; d.n <= d.skip {
		return true
	}
	r.page.Matched++
	if r.block.distinct {
		hash := hashOf(row)
		if hash == d.last {
			return true
		}
		if !r.full() {
			d.last = hash
		}
	}
	if r.offset > 0 {
		r.offset--
		return true
	}
	if r.full() { // the page looked ahead
		r.page.State = d.state(d.n - 1)
		return false
	}
	if d.failed = r.addRow(row); d.failed != nil || r.remaining == 0 {
		return false
	}
	if r.full() && !r.lookAhead && len(r.block.sources) > 0 {
		r.page.State = d.state(d.n)
		return false
	}
	return true
}

// state returns the State after n rows of the document.
func (d *document) state(n int) *State {
	s := &State{ResumeAfter: d.at, partialDocuments: d.within, offset: d.run.offset,
		remaining: d.run.remaining, last: d.last}
	if n == 0 || d.run.block.mayReturnMany() {
		s.ResumeAfter = d.before
	}
	if n > 0 && d.run.block.mayReturnMany() {
		s.partialDocuments = append(s.partialDocuments, partialDocument{d.at, n})
		s.partialDocuments = s.partialDocuments[max(0, len(s.partialDocuments)-maxPartialDocuments):]
	}
	if v, ok := d.run.src.(*values); ok && v.inner {
		s.innerResumeAfter, s.ResumeAfter = s.ResumeAfter, nil
	}
	return s
}

func hashOf(row doc.Value) [16]byte {
	h := murmur3.New128()
	h.Write([]byte(builtin.Key(row)))
	return [16]byte(h.Sum(nil))
}
