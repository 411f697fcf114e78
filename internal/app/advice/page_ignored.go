package advice

import "fmt"

// pageIgnored finds queries and scans whose result was cut at 1 MB, and whose other pages no program ever reads: it
// works with a part of the items as if it were all. A program that sets Limit, or that reads from the end of a
// partition, may want only the first ones; and one that reads the next page of the same query once knows that there are
// pages.
var pageIgnored = Rule{
	ID:     "page-ignored",
	Title:  "results with further pages that are never read",
	Source: "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.Pagination.html",
	watch: func(*Review) watcher {
		return dynamoDB{&pages{of: map[string]*paged{}, last: map[string]*firstPage{}}}
	},
}

type pages struct {
	of map[string]*paged // by shape
	// last is the last request of each program, if it returned a first page. The program may yet continue it.
	last map[string]*firstPage
}

// paged is the first pages of one shape.
type paged struct {
	finding   Finding
	continued bool
}

type firstPage struct {
	request *Request
	of      *paged
}

func (p *pages) see(r *Request) {
	program := r.program()
	if f := p.last[program]; f != nil {
		f.of.finding.show(f.request, fmt.Sprintf("returns %d items and says that there may be more",
			len(list(f.request.Result["Items"]))+countOnly(f.request)))
		delete(p.last, program)
	}
	if r.Operation != "Query" && r.Operation != "Scan" && r.Operation != "ExecuteStatement" {
		return
	}
	shape := r.shape()
	t := p.of[shape]
	if t == nil {
		table, index := r.source()
		t = &paged{finding: Finding{Table: table, Index: index}}
		p.of[shape] = t
	}
	if r.Body["ExclusiveStartKey"] != nil || r.text("NextToken") != "" {
		t.continued = true
	} else if r.Done() && (r.has("LastEvaluatedKey") || r.has("NextToken")) && r.wantsAll() {
		p.last[program] = &firstPage{r, t}
	}
}

// wantsAll reports whether nothing in a query or scan says that the first items are enough.
func (r *Request) wantsAll() bool {
	return r.Body["Limit"] == nil && r.Body["ScanIndexForward"] != false
}

// countOnly returns the number of items that a request counted without returning them.
func countOnly(r *Request) int {
	if r.text("Select") == "COUNT" {
		return r.number("Count")
	}
	return 0
}

func (p *pages) conclude() []Finding {
	var all []Finding
	for _, t := range ordered(p.of) {
		f := t.finding
		if t.continued || f.Times == 0 {
			continue
		}
		f.Problem = fmt.Sprintf("%s with a first page, and nothing reads the next one", times(f.Times, "result ends", "results end"))
		f.Remedy = "Send the request again with ExclusiveStartKey set to LastEvaluatedKey until there is none, as the " +
			"paginators of the SDKs do; set Limit if the first items are enough"
		all = append(all, f)
	}
	return all
}

// times returns a number with what there is of it.
func times(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
