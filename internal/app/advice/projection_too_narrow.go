package advice

import (
	"fmt"

	"github.com/tabletop-db/tabletop/internal/model/cost"
	"github.com/tabletop-db/tabletop/internal/util/thousands"
)

// projectionTooNarrow finds global indexes whose entries are not enough for the program: it reads from the table what
// queries of the index found. An index with all attributes saves these reads; it is a finding if they cost more than
// the larger entries. Strongly consistent reads are left alone: a global index cannot replace them.
var projectionTooNarrow = Rule{
	ID:     "projection-too-narrow",
	Title:  "queries of an index whose items are then read from the table",
	Source: "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-indexes-general.html",
	watch: func(v *Review) watcher {
		return &narrowIndexes{review: v, sample: putSample{}, of: map[place]*fetches{}, found: map[string]foundKey{}}
	},
}

const (
	enoughFetches  = 20
	fetchedPercent = 80    // of the items that queries return
	maxFoundKeys   = 10000 // that are remembered
)

type narrowIndexes struct {
	review *Review
	sample putSample
	of     map[place]*fetches
	found  map[string]foundKey // by table and key: what queries returned and has not been read since
}

// foundKey is a key that a query of an index returned.
type foundKey struct {
	by    *fetches
	query int64 // number of the request
}

// fetches is the reads of items that queries of an index found.
type fetches struct {
	finding                   Finding
	queries, returned         int
	readUnits, written, bytes float64
}

func (n *narrowIndexes) see(r *Request) {
	n.sample.see(r)
	for _, c := range r.Consumed {
		if f := n.index(place{c.Table, c.Index}); f != nil && c.Write {
			f.written += c.Units
		}
	}
	if !r.Done() {
		return
	}
	if r.Operation == "Query" {
		n.query(r)
		return
	}
	for _, a := range r.accesses {
		if a.kind == "Get" && a.part["ConsistentRead"] != true && r.Operation != "TransactGetItems" {
			n.fetch(r, a, float64(len(r.accesses)))
		}
	}
}

// index returns the fetches of a global index that lacks attributes; nil for other ones.
func (n *narrowIndexes) index(of place) *fetches {
	x := n.review.index(of)
	if x == nil || x.Local || x.Projection == "ALL" {
		return nil
	}
	f := n.of[of]
	if f == nil {
		f = &fetches{finding: Finding{Table: of.table, Index: of.index}}
		n.of[of] = f
	}
	return f
}

func (n *narrowIndexes) query(r *Request) {
	items := list(r.Result["Items"])
	f := n.index(place{r.table(), r.text("IndexName")})
	if f == nil || len(items) == 0 {
		return
	}
	if len(n.found) > maxFoundKeys {
		clear(n.found)
	}
	f.queries++
	f.returned += len(items)
	for _, item := range items {
		n.found[n.id(r.table(), object(item))] = foundKey{f, r.N}
	}
}

// id identifies an item by its table and key.
func (n *narrowIndexes) id(table string, item map[string]any) string {
	key := n.review.key(table, "")
	return fmt.Sprintf("%s\x00%s\x00%s", table, keyText(item, key.Partition), keyText(item, key.Sort))
}

// fetch notes the read of an item, one of several in a request.
func (n *narrowIndexes) fetch(r *Request, a access, several float64) {
	id := n.id(a.table, a.attributes())
	k, ok := n.found[id]
	if !ok {
		return
	}
	delete(n.found, id)
	units, _ := r.units()
	k.by.readUnits += units / several
	k.by.bytes += float64(r.resultBytes()) / several
	k.by.finding.show(r, fmt.Sprintf("reads what query #%d found in the index", k.query))
}

// resultBytes returns the size of the items in the response to a GetItem or BatchGetItem.
func (r *Request) resultBytes() int {
	n := itemBytes(object(r.Result["Item"]))
	for _, items := range object(r.Result["Responses"]) {
		for _, item := range list(items) {
			n += itemBytes(object(item))
		}
	}
	return n
}

func (n *narrowIndexes) conclude() []Finding {
	var all []Finding
	for of, k := range n.of {
		f := k.finding
		saved := n.saved(of, k)
		if f.Times < enoughFetches || f.Times*100 < k.returned*fetchedPercent || saved <= 0 {
			continue
		}
		f.Problem = thousands.Sprintf("%d of the %d items that %d queries of the index return are then read from the table",
			f.Times, k.returned, k.queries)
		f.Monthly = saved
		f.Remedy = n.review.replaceIndex(of, map[string]any{"ProjectionType": "ALL"})
		all = append(all, f)
	}
	return all
}

// saved returns what the reads cost a month, less what an index with all attributes costs more.
func (n *narrowIndexes) saved(of place, k *fetches) float64 {
	x := n.review.index(of)
	if x == nil {
		return 0
	}
	saved := n.review.monthly(cost.ReadRequests, k.readUnits-k.bytes/unitBytes)
	now, _ := n.sample.units(of.table, x, n.review.Tables[of.table].projects(x))
	then, entries := n.sample.units(of.table, x, everyAttribute)
	if entries == 0 {
		return saved
	}
	return saved - n.review.monthly(cost.WriteRequests, k.written*(then/now-1))
}
