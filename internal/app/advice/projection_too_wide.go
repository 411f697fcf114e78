package advice

import (
	"maps"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/internal/util/thousands"
)

// projectionTooWide finds global indexes that have all attributes, where each query asks for a few: an index with these
// has smaller entries, and so cheaper writes. It says nothing if entries are below 1 KB anyway, if anything reads whole
// items, or if the recording writes no items.
var projectionTooWide = Rule{
	ID:     "projection-too-wide",
	Title:  "indexes with attributes that no query asks for",
	Source: "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-indexes-general.html",
	watch: func(v *Review) watcher {
		return &wideIndexes{review: v, sample: putSample{}, of: map[place]*indexQueries{}}
	},
}

const (
	enoughQueries = 20
	enoughEntries = 20
	narrowPercent = 70 // of the write units, at most, remain
)

type wideIndexes struct {
	review *Review
	sample putSample
	of     map[place]*indexQueries
}

// indexQueries is how an index is read.
type indexQueries struct {
	finding Finding
	wanted  map[string]bool
	whole   bool    // something reads all attributes
	written float64 // write units
}

func (w *wideIndexes) see(r *Request) {
	w.sample.see(r)
	query := r.Operation == "Query" || r.Operation == "Scan"
	for _, c := range r.Consumed {
		if c.Index == "" {
			continue
		}
		if q := w.index(place{c.Table, c.Index}); c.Write {
			q.written += c.Units
		} else if !query { // as PartiQL
			q.whole = true
		}
	}
	if index := r.text("IndexName"); query && index != "" {
		w.index(place{r.table(), index}).query(r)
	}
}

func (w *wideIndexes) index(of place) *indexQueries {
	q := w.of[of]
	if q == nil {
		q = &indexQueries{finding: Finding{Table: of.table, Index: of.index}, wanted: map[string]bool{}}
		w.of[of] = q
	}
	return q
}

func (q *indexQueries) query(r *Request) {
	names, ok := r.wanted()
	if !ok {
		q.whole = true
		return
	}
	for _, name := range names {
		q.wanted[name] = true
	}
	q.finding.show(r, "asks for "+strings.TrimSpace(r.text("ProjectionExpression")+" "+r.text("Select")))
}

func (w *wideIndexes) conclude() []Finding {
	var all []Finding
	for of, q := range w.of {
		x := w.review.index(of)
		if x == nil || x.Local || x.Projection != "ALL" || q.whole || q.finding.Times < enoughQueries {
			continue
		}
		t := w.review.Tables[of.table]
		wide, entries := w.sample.units(of.table, x, everyAttribute)
		narrow, _ := w.sample.units(of.table, x, func(name string) bool { return q.wanted[name] || t.isKey(x, name) })
		if entries < enoughEntries || narrow*100 > wide*narrowPercent {
			continue
		}
		f := q.finding
		f.Problem = thousands.Sprintf("each of %d queries asks for a few attributes of the index, which has all: its writes "+
			"would cost %.0f %% less with these alone", f.Times, 100*(1-narrow/wide))
		f.Monthly = w.review.indexMonthly(of, q.written) * (1 - narrow/wide)
		f.Remedy = w.review.replaceIndex(of, w.projection(t, x, q))
		all = append(all, f)
	}
	return all
}

// projection returns the projection with what queries ask for.
func (w *wideIndexes) projection(t *Table, x *Index, q *indexQueries) map[string]any {
	exists := map[string]bool{}
	for _, item := range w.sample[t.Name] {
		for name := range item {
			exists[name] = true
		}
	}
	var names []string
	for _, name := range slices.Sorted(maps.Keys(q.wanted)) {
		if exists[name] && !t.isKey(x, name) {
			names = append(names, name)
		}
	}
	if names == nil {
		return map[string]any{"ProjectionType": "KEYS_ONLY"}
	}
	return map[string]any{"ProjectionType": "INCLUDE", "NonKeyAttributes": names}
}
