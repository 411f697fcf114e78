package sql

import (
	"bytes"
	"slices"

	"github.com/twmb/murmur3"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/builtin"
)

// foresight is how many documents are looked at for another row once a page is full: past it there may be an empty
// page.
const foresight = 1000

// stream gives rows in the order of their documents. A page that is full ends at once, and a full last page is followed
// by an empty one; only with ORDER BY, or a filter that an index may serve, it looks first whether there is another
// row, as the service does (Java's CosmosItemTest and DatabaseQueryTest count the pages of such).
func (r *run) stream() error {
	if r.left == 0 {
		return nil
	}
	d := &document{run: r, last: r.resume.last, before: r.resume.Behind, within: slices.Clone(r.resume.within)}
	if r.resume.inner != nil {
		d.before = r.resume.inner
	}
	row := d.row
	err := r.documents(func(at []byte) bool {
		d.begin(at)
		if r.frame.steps() > sliceSteps && r.page.Documents > 1 { // what is left is for the next page
			r.page.State = d.state(0)
			return false
		}
		if r.full() {
			if d.ahead++; d.ahead > foresight {
				r.page.State = d.state(0)
				return false
			}
		}
		return r.block.each(r.frame, 0, row) && r.frame.err == nil
	})
	if d.failed != nil {
		return d.failed
	}
	return err
}

// document is the rows of one document.
type document struct {
	run    *run
	before []byte // position of the document before
	at     []byte
	skip   int      // rows that earlier pages gave
	within []place  // documents still to come of which earlier pages gave rows
	n      int      // rows so far
	ahead  int      // documents since the page was full
	last   [16]byte // of DISTINCT: the row before, hashed
	failed error
}

// begin goes on to the next document. Both positions keep their room.
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

// row takes the row that the frame holds; it answers false once the page is full.
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
	if r.full() { // of a page that looked ahead
		r.page.State = d.state(d.n - 1)
		return false
	}
	if d.failed = r.put(row); d.failed != nil || r.left == 0 {
		return false
	}
	if r.full() && !r.foresees && len(r.block.sources) > 0 {
		r.page.State = d.state(d.n)
		return false
	}
	return true
}

// state resumes behind n rows of the document.
func (d *document) state(n int) *State {
	s := &State{Behind: d.at, within: d.within, offset: d.run.offset, left: d.run.left, last: d.last}
	if n == 0 || d.run.block.many() {
		s.Behind = d.before
	}
	if n > 0 && d.run.block.many() {
		s.within = append(s.within, place{d.at, n})
		s.within = s.within[max(0, len(s.within)-mostPlaces):]
	}
	if v, ok := d.run.src.(*values); ok && v.inner {
		s.inner, s.Behind = s.Behind, nil
	}
	return s
}

func hashOf(row doc.Value) [16]byte {
	h := murmur3.New128()
	h.Write([]byte(builtin.Key(row)))
	return [16]byte(h.Sum(nil))
}
