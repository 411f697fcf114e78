package advice

import (
	"fmt"
	"hash/maphash"
	"maps"
	"time"
)

// consistentRead finds strongly consistent reads of items that have not been written for a minute: an eventually
// consistent read, which is a second behind at most, would return the same at half the units. Reads before a write of
// the same item are no finding, and neither are those of a program some of whose reads follow a write. What was written
// before the recording is not known, so that nothing is found in its first minute.
var consistentRead = Rule{
	ID:     "consistent-read",
	Title:  "strongly consistent reads of items that have not changed",
	Source: "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.ReadConsistency.html",
	watch: func(v *Review) watcher {
		return dynamoDB{&consistency{review: v, seed: maphash.MakeSeed(), written: map[uint64]time.Time{},
			read: map[uint64]*consistentlyRead{}, of: map[string]*consistentlyRead{}, keyless: map[string]bool{}}}
	},
}

// Strongly consistent reads become a finding when there are so many, and this share of them is of items at rest.
const (
	manyConsistent = 20
	atRestPercent  = 98
	atRest         = time.Minute // since the last write
)

type consistency struct {
	review  *Review
	seed    maphash.Seed
	written map[uint64]time.Time         // by table and key, or partition: the last write
	read    map[uint64]*consistentlyRead // by table and key: the last consistent read, until a write
	pruned  time.Time
	opaque  bool            // statements write what is not known
	keyless map[string]bool // tables to which items were put before their keys were known
	of      map[string]*consistentlyRead
}

// consistentlyRead is the strongly consistent reads of one operation of a table or a local index.
type consistentlyRead struct {
	finding      Finding
	operation    string
	reads        int
	beforeWrites int
	units        float64 // of the reads of items at rest
	last         time.Time
}

func (c *consistency) see(r *Request) {
	if r.Operation == "ExecuteTransaction" || r.Operation == "BatchExecuteStatement" ||
		r.Operation == "ExecuteStatement" && !isSelect(r.text("Statement")) {
		c.opaque = true
	}
	c.prune(r.Time)
	for i := range r.accesses {
		if a := &r.accesses[i]; a.writes() {
			c.noteWrite(r, a)
		}
	}
	if r.Body["ConsistentRead"] == true && r.Done() && r.Time.Sub(c.review.start) >= atRest && !c.keyless[r.table()] {
		switch r.Operation {
		case "GetItem":
			if len(object(r.Result["Item"])) > 0 {
				c.noteRead(r, c.keyHash(r.table(), r.accesses[0].key))
			}
		case "Query":
			if partition, ok := c.review.partitionOf(r); ok && r.number("Count") > 0 {
				c.noteRead(r, c.keyHash(r.table(), partition))
			}
		}
	}
}

// prune forgets writes that are too old to matter.
func (c *consistency) prune(now time.Time) {
	if now.Sub(c.pruned) < atRest {
		return
	}
	c.pruned = now
	maps.DeleteFunc(c.written, func(_ uint64, at time.Time) bool { return now.Sub(at) >= atRest })
	maps.DeleteFunc(c.read, func(_ uint64, t *consistentlyRead) bool { return now.Sub(t.last) >= readBefore })
}

func (c *consistency) keyHash(table, key string) uint64 { return maphash.String(c.seed, table+key) }

func (c *consistency) noteWrite(r *Request, a *access) {
	if a.item != nil && c.review.key(a.table, "") == (Key{}) {
		c.keyless[a.table] = true
	}
	keys := []string{a.key}
	if t := c.review.Tables[a.table]; t != nil {
		keys = append(keys, jsonText(a.attributes()[t.Key.Partition]))
	}
	for _, key := range keys {
		hash := c.keyHash(a.table, key)
		c.written[hash] = r.Time
		if t := c.read[hash]; t != nil && r.Time.Sub(t.last) < readBefore {
			t.beforeWrites++
		}
		delete(c.read, hash)
	}
}

func (c *consistency) noteRead(r *Request, hash uint64) {
	index := r.text("IndexName")
	id := r.Operation + "\x00" + r.table() + "\x00" + index
	t := c.of[id]
	if t == nil {
		t = &consistentlyRead{finding: Finding{Table: r.table(), Index: index}, operation: r.Operation}
		c.of[id] = t
	}
	t.reads++
	t.last, c.read[hash] = r.Time, t
	if at, ok := c.written[hash]; ok && r.Time.Sub(at) < atRest {
		return
	}
	units, _ := r.units()
	t.units += units
	t.finding.show(r, fmt.Sprintf("consumes %g units for what nothing has written for a minute", units))
}

func (c *consistency) conclude() []Finding {
	var all []Finding
	for _, t := range ordered(c.of) {
		f := t.finding
		if c.opaque || t.reads < manyConsistent || f.Times*100 < t.reads*atRestPercent ||
			t.beforeWrites*100 > t.reads*(100-atRestPercent) {
			continue
		}
		f.Problem = fmt.Sprintf("%d of %d strongly consistent %s requests read what nothing had written for a minute", f.Times,
			t.reads, t.operation)
		f.Monthly = c.review.unitsMonthly(f.Table, f.Index, t.units/2, 0)
		f.Remedy = "Leave out ConsistentRead, unless what was written within the last second must be seen"
		all = append(all, f)
	}
	return all
}
