package advice

import (
	"fmt"

	"github.com/tabletop-db/tabletop/internal/model/cost"
)

// scanForFew finds scans whose filter throws away most of what they read, and which come again: a query would read only
// what is needed. A scan that keeps what it reads, such as that of an export, is no finding, and neither is a single
// one.
var scanForFew = Rule{
	ID:     "scan-for-few",
	Title:  "scans that read many items to return a few",
	Source: "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-query-scan.html",
	watch: func(v *Review) watcher {
		return &scans{review: v, of: map[string]*scanned{}}
	},
}

// Scans become a finding when there are several, and when each read is of no use for most of them.
const (
	fewScans    = 3
	minScanned  = 100
	keptPercent = 10
)

type scans struct {
	review *Review
	of     map[string]*scanned // by table and index
}

// scanned is the scans of one table or index.
type scanned struct {
	finding    Finding
	read, kept int
	units      float64
	requests   int // with the first page only: further pages belong to the same scan
}

func (s *scans) see(r *Request) {
	if r.Operation != "Scan" || !r.Done() || r.text("FilterExpression") == "" {
		return
	}
	table, index := r.table(), r.text("IndexName")
	t := s.of[table+"\x00"+index]
	if t == nil {
		t = &scanned{finding: Finding{Table: table, Index: index}}
		s.of[table+"\x00"+index] = t
	}
	if r.Body["ExclusiveStartKey"] == nil {
		t.requests++
	}
	read, kept := r.number("ScannedCount"), r.number("Count")
	units, _ := r.units()
	t.read, t.kept, t.units = t.read+read, t.kept+kept, t.units+units
	t.finding.show(r, fmt.Sprintf("reads %d items and returns %d", read, kept))
}

func (s *scans) conclude() []Finding {
	var all []Finding
	for _, t := range s.of {
		if t.requests < fewScans || t.read < minScanned || t.kept*100 > t.read*keptPercent {
			continue
		}
		f := t.finding
		f.Problem = fmt.Sprintf("%d scans read %d items to return %d", t.requests, t.read, t.kept)
		f.Monthly = s.review.monthly(cost.ReadRequests, t.units*float64(t.read-t.kept)/float64(t.read))
		f.Remedy = "Query an index whose key is what the filter compares; create it with " +
			"aws dynamodb update-table --table-name " + f.Table + " --global-secondary-index-updates …"
		all = append(all, f)
	}
	return all
}
