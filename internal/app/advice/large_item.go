package advice

import "github.com/tabletop-db/tabletop/internal/util/thousands"

// largeItem finds items that come near the size limit of DynamoDB: the next attribute or list element makes writes
// fail.
var largeItem = Rule{
	ID:     "large-item",
	Title:  "items near the size limit",
	Source: "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-use-s3-too.html",
	watch: func(v *Review) watcher {
		return &largeItems{review: v, of: map[string]*large{}}
	},
}

// The sizes of an item in bytes: the limit, and from which on it is large.
const (
	maxItem   = 400 << 10
	largeSize = 300 << 10
)

type largeItems struct {
	review *Review
	of     map[string]*large // by table
}

// large is the large items of a table.
type large struct {
	finding Finding
	most    int // bytes
}

func (l *largeItems) see(r *Request) {
	if !r.Done() {
		return
	}
	for _, a := range l.review.accessesOf(r) {
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
	if bytes < largeSize {
		return
	}
	t := l.of[table]
	if t == nil {
		t = &large{finding: Finding{Table: table}}
		l.of[table] = t
	}
	t.most = max(t.most, bytes)
	t.finding.show(r, thousands.Sprintf("has an item of %d KB", bytes>>10))
}

func (l *largeItems) conclude() []Finding {
	var all []Finding
	for _, t := range l.of {
		f := t.finding
		f.Problem = thousands.Sprintf("items of up to %d KB: writes fail from %d KB on, and each small update costs as much as "+
			"writing the whole item", t.most>>10, maxItem>>10)
		f.Remedy = "Split the item into several of one partition key, compress the largest attribute, or keep it in S3 and its " +
			"object key in the item"
		all = append(all, f)
	}
	return all
}
