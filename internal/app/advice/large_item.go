package advice

import "github.com/tabletop-db/tabletop/internal/util/thousands"

// largeItem finds items that come near the size limit of DynamoDB: the next attribute or list element makes writes
// fail.
var largeItem = Rule{
	ID:     "large-item",
	Title:  "items near the size limit",
	Source: "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-use-s3-too.html",
	watch: func(*Review) watcher {
		return &largeItems{oversized{}}
	},
}

// The sizes of an item in bytes: the limit, and from which on it is large.
const (
	maxItem   = 400 << 10
	largeSize = 300 << 10
)

type largeItems struct{ found oversized }

func (l *largeItems) see(r *Request) {
	if !r.Done() {
		return
	}
	for _, a := range r.accesses {
		l.add(r, a.table, itemBytes(a.item))
	}
	switch r.Operation {
	case "GetItem":
		l.add(r, r.table(), itemBytes(object(r.Result["Item"])))
	case "UpdateItem": // consumes a unit for each KB of the item, before or after it
		for _, c := range r.Consumed {
			if c.Write && c.Index == "" {
				l.add(r, c.Table, int(c.Units-1)<<10+1)
			}
		}
	}
}

func (l *largeItems) add(r *Request, table string, bytes int) {
	if bytes >= largeSize {
		l.found.add(r, table, bytes, "has an item of %d KB")
	}
}

func (l *largeItems) conclude() []Finding {
	return l.found.findings(func(most int) string {
		return thousands.Sprintf("items of up to %d KB: writes fail from %d KB on, and each small update costs as much as "+
			"writing the whole item", most>>10, maxItem>>10)
	}, "Split the item into several of one partition key, compress the largest attribute, or keep it in S3 and its "+
		"object key in the item")
}

// oversized is what is near a limit of size, by table or container.
type oversized map[string]*large

// large is the large items of a table, or documents of a container.
type large struct {
	finding Finding
	most    int // bytes
}

// add notes an item that a request shows. format has its size in KB.
func (o oversized) add(r *Request, name string, bytes int, format string) {
	t := o[name]
	if t == nil {
		t = &large{finding: Finding{Table: name}}
		o[name] = t
	}
	t.most = max(t.most, bytes)
	t.finding.show(r, thousands.Sprintf(format, bytes>>10))
}

// findings returns a finding for each table or container; problem tells it from the largest size in bytes.
func (o oversized) findings(problem func(most int) string, remedy string) (all []Finding) {
	for _, t := range o {
		f := t.finding
		f.Problem, f.Remedy = problem(t.most), remedy
		all = append(all, f)
	}
	return all
}
