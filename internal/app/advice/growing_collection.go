package advice

import (
	"fmt"
	"strconv"
	"time"

	"github.com/tabletop-db/tabletop/internal/model/cost"
	"github.com/tabletop-db/tabletop/internal/util/thousands"
)

// growingCollection finds item collections that get ever larger sort keys, such as times, and lose none: with a local
// index, writes fail when one reaches 10 GB; without, a table whose items mostly go to one collection is a log that
// nobody ends. Tables with time to live or with deletions are no finding, and neither is a table with many such
// collections, such as one of measurements by device.
var growingCollection = Rule{
	ID:     "growing-collection",
	Title:  "item collections that grow without bound",
	Source: "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-indexes-general.html",
	watch: func(v *Review) watcher {
		return &collections{review: v, of: map[place]*collection{}, tables: map[string]*tableWrites{}}
	},
}

const (
	ttlPage = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html"

	maxCollection  = 10 << 30             // bytes, with a local index
	soon           = 365 * 24 * time.Hour // until a collection reaches it
	growingItems   = 500
	risingPercent  = 95 // of the puts have a sort key above all before them
	largestPercent = 50 // of the table's puts go to the collection
)

// tableWrites is what is written to a table.
type tableWrites struct {
	puts    int
	deletes bool
}

// collection is the items of a partition key.
type collection struct {
	finding     Finding
	key         string
	sort        string // the highest so far
	puts        int
	rising      int
	bytes       int
	first, last time.Time
}

type collections struct {
	review *Review
	of     map[place]*collection // by table and partition key
	tables map[string]*tableWrites
}

func (c *collections) see(r *Request) {
	if !r.Done() {
		return
	}
	for _, a := range r.accesses {
		t := c.tables[a.table]
		if t == nil {
			t = &tableWrites{}
			c.tables[a.table] = t
		}
		switch a.kind {
		case "Delete":
			t.deletes = true
		case "Put":
			t.puts++
			c.put(r, a)
		}
	}
}

func (c *collections) put(r *Request, a access) {
	key := c.review.key(a.table, "")
	partition, sort := keyText(a.item, key.Partition), keyText(a.item, key.Sort)
	if partition == "" || sort == "" {
		return
	}
	of := place{a.table, partition}
	k := c.of[of]
	if k == nil {
		k = &collection{finding: Finding{Table: a.table}, key: partition, first: r.Time}
		c.of[of] = k
	}
	k.puts, k.bytes, k.last = k.puts+1, k.bytes+itemBytes(a.item), r.Time
	if k.sort == "" || above(sort, k.sort) {
		k.rising++
		k.sort = sort
		k.finding.show(r, fmt.Sprintf("adds the sort key %q", sort))
	}
}

// above reports whether a sort key is above another: as numbers if they are, otherwise as texts.
func above(a, b string) bool {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	if errX == nil && errY == nil {
		return x > y
	}
	return a > b
}

func (c *collections) conclude() []Finding {
	var all []Finding
	for of, k := range c.of {
		t := c.review.Tables[of.table]
		if t == nil || t.TTL != "" || c.tables[of.table].deletes || !c.grows(k) {
			continue
		}
		switch left := c.untilFull(k); {
		case t.hasLocalIndex() && left < soon:
			all = append(all, k.full(left))
		case !t.hasLocalIndex() && k.puts*100 >= c.tables[of.table].puts*largestPercent:
			all = append(all, c.endless(k))
		}
	}
	return all
}

// grows reports whether the collection has grown all along.
func (c *collections) grows(k *collection) bool {
	span := c.review.Span
	return span >= longEnough && k.puts >= growingItems && k.rising*100 >= k.puts*risingPercent &&
		k.first.Sub(c.review.start) <= span/3 && k.last.Sub(c.review.start) >= span*2/3
}

// untilFull returns when the collection reaches its limit, at the rate of the recording.
func (c *collections) untilFull(k *collection) time.Duration {
	return time.Duration(min(float64(c.review.Span)/float64(k.bytes)*maxCollection, float64(2*soon)))
}

func (t *Table) hasLocalIndex() bool {
	for _, x := range t.Indexes {
		if x.Local {
			return true
		}
	}
	return false
}

// full returns the finding about a collection that reaches its limit.
func (k *collection) full(left time.Duration) Finding {
	f := k.finding
	f.Problem = thousands.Sprintf("partition key %q gets ever larger sort keys, %d in the recording, and loses none: writes fail "+
		"when it has 10 GB, after %.0f days at this rate, because the table has a local index", k.key, k.rising,
		left.Hours()/24)
	f.Remedy = "Use a global index instead of the local one: then a collection has no limit. Or end collections, with the " +
		"month in the partition key, as in " + strconv.Quote(k.key+"#2030-01")
	return f
}

// endless returns the finding about the one collection of a table.
func (c *collections) endless(k *collection) Finding {
	f := k.finding
	f.Problem = thousands.Sprintf("%d of %d new items go to partition key %q, with ever larger sort keys; none is deleted and "+
		"none expires", k.puts, c.tables[f.Table].puts, k.key)
	month := float64(k.bytes) * float64(cost.Month) / float64(c.review.Span)
	f.Monthly = month / (1 << 30) * c.review.price(cost.Storage)
	f.Remedy = "Let items expire: write the time at which an item may go, in seconds since 1970, to an attribute such as " +
		"expires\naws dynamodb update-time-to-live --table-name " + f.Table +
		" --time-to-live-specification Enabled=true,AttributeName=expires"
	f.Source = ttlPage
	return f
}
