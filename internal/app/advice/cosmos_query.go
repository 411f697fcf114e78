package advice

import (
	"strings"

	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// cosmosQuery is a simple query of Cosmos DB: over one container, without joins, subqueries and brackets.
type cosmosQuery struct {
	text      string // without insignificant space
	alias     string // of the items, such as c
	where     string // empty: no filter
	order     string
	wholeItem bool // it returns items as they are
}

var (
	space     = lazyregexp.New(`\s+`)
	selectAll = lazyregexp.New(`(?i)^(?:top\s+\S+\s+)?(?:\*|value\s+(\w+))$`)
	simple    = lazyregexp.New(`(?i)^select (.+?) from (\w+)(?: (?:as )?(\w+))?(?: where (.+?))?(?: order by (.+?))?` +
		`(?: offset .*)?;?$`)
	complicated = lazyregexp.New(`(?i)\b(join|exists|array|udf|in)\b|\[|\bselect\b.*\bselect\b`)
)

// query returns the query of a request for documents. ok is false if it is none, or not a simple one.
func (r *Request) query() (q cosmosQuery, ok bool) {
	if r.Operation != "QueryDocuments" {
		return q, false
	}
	q.text = strings.TrimSpace(space.ReplaceAllString(r.text("query"), " "))
	m := simple.FindStringSubmatch(q.text)
	if m == nil || complicated.MatchString(q.text) {
		return q, false
	}
	q.alias, q.where, q.order = m[2], m[4], m[5]
	if m[3] != "" {
		q.alias = m[3]
	}
	of := selectAll.FindStringSubmatch(m[1])
	q.wholeItem = of != nil && (of[1] == "" || of[1] == q.alias)
	return q, true
}

// comparisonPart is the comparison of a path with a value, one of the parts that AND joins.
var comparisonPart = lazyregexp.New(`^\(?\s*(\w+)((?:\.\w+)+)\s*=\s*("[^"]*"|'[^']*'|@\w+|[\d.]+)\s*\)?$`)

var and = lazyregexp.New(`(?i) and `)

// equalPaths returns the paths that the filter compares for equality, such as /id. only reports whether the filter
// has nothing else.
func (q *cosmosQuery) equalPaths() (paths []string, only bool) {
	only = true
	for part := range strings.SplitSeq(and.ReplaceAllString(q.where, "\x00"), "\x00") {
		m := comparisonPart.FindStringSubmatch(strings.TrimSpace(part))
		if m == nil || m[1] != q.alias {
			only = false
			continue
		}
		paths = append(paths, strings.ReplaceAll(m[2], ".", "/"))
	}
	return paths, only
}
