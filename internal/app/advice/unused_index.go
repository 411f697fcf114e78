package advice

import (
	"time"

	"github.com/tabletop-db/tabletop/internal/model/cost"
	"github.com/tabletop-db/tabletop/internal/util/thousands"
)

// unusedIndex finds indexes that writes pay for and nobody reads. It needs a recording in which the table is read, of
// some length: what a program does once a day is not in a short one.
var unusedIndex = Rule{
	ID:     "unused-index",
	Title:  "indexes that are written and never read",
	Source: "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-indexes-general.html",
	watch: func(v *Review) watcher {
		return &indexUses{review: v, written: map[place]*indexWrites{}, read: map[place]int{}}
	},
}

// What a recording must have of a table before an index counts as unused.
const (
	longEnough   = 10 * time.Minute
	enoughWrites = 50 // of the index
	enoughReads  = 50 // of the table and its other indexes
)

// place is a table, or an index of it.
type place struct{ table, index string }

type indexUses struct {
	review  *Review
	written map[place]*indexWrites
	read    map[place]int // requests
}

// indexWrites is the requests that wrote an index.
type indexWrites struct {
	finding Finding
	units   float64
}

func (u *indexUses) see(r *Request) {
	for _, c := range r.Consumed {
		of := place{c.Table, c.Index}
		switch {
		case !c.Write:
			u.read[of]++
		case c.Index != "":
			u.write(r, of, c.Units)
		}
	}
	if index := r.text("IndexName"); index != "" { // even if the request failed
		u.read[place{r.table(), index}]++
	}
}

func (u *indexUses) write(r *Request, of place, units float64) {
	w := u.written[of]
	if w == nil {
		w = &indexWrites{finding: Finding{Table: of.table, Index: of.index}}
		u.written[of] = w
	}
	w.units += units
	w.finding.show(r, thousands.Sprintf("writes %.0f units to the index", units))
}

func (u *indexUses) conclude() []Finding {
	if u.review.Span < longEnough {
		return nil
	}
	reads := map[string]int{} // by table
	for of, n := range u.read {
		reads[of.table] += n
	}
	var all []Finding
	for of, w := range u.written {
		if u.read[of] > 0 || reads[of.table] < enoughReads || w.finding.Times < enoughWrites || !u.exists(of) {
			continue
		}
		f := w.finding
		f.Problem = thousands.Sprintf("%d requests write the index and none reads it, among %d reads of the table in %s", f.Times,
			reads[of.table], u.review.Span.Round(time.Second).String())
		f.Monthly = u.review.indexMonthly(of, w.units)
		f.Remedy = u.review.dropIndex(of)
		all = append(all, f)
	}
	return all
}

// exists reports whether the index is there at the end of the recording, as far as is known.
func (u *indexUses) exists(of place) bool {
	t := u.review.Tables[of.table]
	return t == nil || t.Indexes[of.index] != nil
}

// index returns what is known of an index; nil if nothing is.
func (v *Review) index(of place) *Index {
	if t := v.Tables[of.table]; t != nil {
		return t.Indexes[of.index]
	}
	return nil
}

// indexMonthly returns what the writes of an index cost a month: its provisioned capacity, or else its units.
func (v *Review) indexMonthly(of place, units float64) float64 {
	x := v.index(of)
	if x == nil || x.Local || v.Tables[of.table].OnDemand {
		return v.monthly(cost.WriteRequests, units)
	}
	return v.capacityMonthly(x.Read, x.Write)
}

// dropIndex returns how to remove an index.
func (v *Review) dropIndex(of place) string {
	if x := v.index(of); x != nil && x.Local {
		return "Create the table again without the index: a local index cannot be removed"
	}
	return "If no other program reads it, remove the index:\naws dynamodb update-table --table-name " + of.table +
		` --global-secondary-index-updates '[{"Delete":{"IndexName":"` + of.index + `"}}]'`
}
