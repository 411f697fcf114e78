package advice

import (
	"fmt"
)

// Reads with a filter become a finding when there are several, and when what they read is of no use for most of them.
const (
	fewFiltered = 3
	minFiltered = 100 // items
	minEach     = 30  // items in the mean: to read fewer costs hardly more than to read one
	keptPercent = 10
)

// filters watches for queries or scans whose filter throws away most of what they read.
type filters struct {
	review    *Review
	operation string
	plural    string
	remedy    func(*Review, *Request) string // from one of the requests
	of        map[string]*filtered           // by shape
}

// filtered is the reads of one shape.
type filtered struct {
	finding    Finding
	example    *Request
	read, kept int
	units      float64
	requests   int // with the first page only: further pages belong to the same read
}

func (s *filters) see(r *Request) {
	if r.Operation != s.operation || !r.Done() || r.text("FilterExpression") == "" {
		return
	}
	shape := r.shape()
	t := s.of[shape]
	if t == nil {
		t = &filtered{finding: Finding{Table: r.table(), Index: r.text("IndexName")}, example: r}
		s.of[shape] = t
	}
	if r.Body["ExclusiveStartKey"] == nil {
		t.requests++
	}
	read, kept := r.number("ScannedCount"), r.number("Count")
	units, _ := r.units()
	t.read, t.kept, t.units = t.read+read, t.kept+kept, t.units+units
	t.finding.show(r, fmt.Sprintf("reads %d items and returns %d", read, kept))
}

func (s *filters) conclude() []Finding {
	var all []Finding
	for _, t := range ordered(s.of) {
		if t.requests < fewFiltered || t.read < max(minFiltered, minEach*t.requests) || t.kept*100 > t.read*keptPercent {
			continue
		}
		f := t.finding
		f.Problem = fmt.Sprintf("%d %s read %d items to return %d", t.requests, s.plural, t.read, t.kept)
		f.Monthly = s.review.unitsMonthly(f.Table, f.Index, t.units*float64(t.read-t.kept)/float64(t.read), 0)
		f.Remedy = s.remedy(s.review, t.example)
		all = append(all, f)
	}
	return all
}
