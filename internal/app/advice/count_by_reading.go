package advice

import "fmt"

// countByReading finds programs that count items by reading them, again and again: Select COUNT reads every item that
// it counts and consumes as much as if it returned them. A count of a few items, or a single one, is cheap.
var countByReading = Rule{
	ID:     "count-by-reading",
	Title:  "counts that read every item",
	Source: "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-gsi-aggregation.html",
	watch: func(v *Review) watcher {
		return dynamoDB{&counts{review: v, of: map[string]*counted{}}}
	},
}

// Counts become a finding when there are several, of so many items in the mean.
const (
	fewCounts   = 5
	manyCounted = 100 // items
)

type counts struct {
	review *Review
	of     map[string]*counted // by shape
}

// counted is the counts of one shape.
type counted struct {
	finding  Finding
	requests int // without further pages
	items    int
	units    float64
}

func (c *counts) see(r *Request) {
	if r.Operation != "Query" && r.Operation != "Scan" || r.text("Select") != "COUNT" || !r.Done() {
		return
	}
	shape := r.shape()
	t := c.of[shape]
	if t == nil {
		t = &counted{finding: Finding{Table: r.table(), Index: r.text("IndexName")}}
		c.of[shape] = t
	}
	if r.Body["ExclusiveStartKey"] == nil {
		t.requests++
	}
	units, _ := r.units()
	t.items, t.units = t.items+r.number("ScannedCount"), t.units+units
	t.finding.show(r, fmt.Sprintf("reads %s to count them, for %g units",
		times(r.number("ScannedCount"), "item", "items"), units))
}

func (c *counts) conclude() []Finding {
	var all []Finding
	for _, t := range ordered(c.of) {
		f := t.finding
		if t.requests < fewCounts || t.items < manyCounted*t.requests {
			continue
		}
		f.Problem = fmt.Sprintf("%d counts read %d items", t.requests, t.items)
		f.Monthly = c.review.unitsMonthly(f.Table, f.Index, t.units, 0)
		f.Remedy = "Keep the number in an item, and change it with the transaction that puts or deletes what it counts, or by " +
			"the table's stream"
		all = append(all, f)
	}
	return all
}
