package advice

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// statementScan finds statements of PartiQL that look like queries, but read the whole table or index because they do
// not compare its partition key with a value. How much they read shows in the units that they consume.
var statementScan = Rule{
	ID:     "statement-scan",
	Title:  "PartiQL statements that read all items to return a few",
	Source: "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-reference.select.html",
	watch: func(v *Review) watcher {
		return dynamoDB{&statements{review: v, of: map[string]*scanning{}}}
	},
}

// unitBytes is how much an eventually consistent read reads for a unit.
const unitBytes = 8192

// minScanUnits is the units of a statement in the mean, about those of 100 items of 250 bytes. A smaller table is as
// cheap to scan as to query.
const minScanUnits = 3

type statements struct {
	review *Review
	of     map[string]*scanning
}

// scanning is the statements that differ in their values only.
type scanning struct {
	finding  Finding
	requests int // without further pages
	units    float64
	returned int // bytes
}

// literal matches a value in a statement.
var literal = lazyregexp.New(`'(?:[^']|'')*'|\b\d+(?:\.\d+)?\b`)

func (s *statements) see(r *Request) {
	statement := r.text("Statement")
	if r.Operation != "ExecuteStatement" || !r.Done() || !isSelect(statement) || r.Body["ConsistentRead"] == true {
		return
	}
	table, index := r.source()
	key := s.review.key(table, index).Partition
	if key == "" || comparesKey(statement, key) {
		return
	}
	shape := literal.ReplaceAllString(statement, "?")
	t := s.of[shape]
	if t == nil {
		t = &scanning{finding: Finding{Table: table, Index: index}}
		s.of[shape] = t
	}
	if r.text("NextToken") == "" {
		t.requests++
	}
	units, _ := r.units()
	items := list(r.Result["Items"])
	for _, each := range items {
		t.returned += itemBytes(object(each))
	}
	t.units += units
	t.finding.show(r, fmt.Sprintf("consumes %g units and returns %s", units, times(len(items), "item", "items")))
}

// comparesKey reports whether the conditions of a statement have an equality or a list of values for an attribute.
func comparesKey(statement, attribute string) bool {
	_, conditions, _ := strings.Cut(strings.ToLower(statement), "where")
	name := regexp.QuoteMeta(strings.ToLower(attribute))
	compared, err := regexp.MatchString(`(^|[\s("])`+name+`"?\s*(=|in\b)`, conditions)
	return err != nil || compared
}

func (s *statements) conclude() []Finding {
	var all []Finding
	for _, t := range ordered(s.of) {
		read := t.units * unitBytes
		if t.requests < fewFiltered || t.units < minScanUnits*float64(t.requests) ||
			float64(t.returned)*100 > read*keptPercent {
			continue
		}
		f := t.finding
		f.Problem = fmt.Sprintf("%d statements scan for what takes %d of the %.0f bytes that they read", t.requests, t.returned,
			read)
		f.Monthly = s.review.unitsMonthly(f.Table, f.Index, t.units*(1-float64(t.returned)/read), 0)
		f.Remedy = "Compare the partition key of the table or of an index in WHERE, and name the index in FROM \"" + f.Table +
			"\".\"INDEX\""
		all = append(all, f)
	}
	return all
}
