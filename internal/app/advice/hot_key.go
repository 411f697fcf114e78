package advice

import (
	"fmt"
	"math"
	"time"

	"github.com/tabletop-db/tabletop/internal/model/recording"
	"github.com/tabletop-db/tabletop/internal/util/thousands"
)

// hotKey finds partition keys that take more capacity a second than a partition has, again and again: DynamoDB
// throttles them, whatever the capacity of the table. A load of a second or two is no finding.
var hotKey = Rule{
	ID:     "hot-key",
	Title:  "partition keys that take more than the capacity of a partition",
	Source: "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html",
	watch: func(v *Review) watcher {
		return &hotKeys{review: v, load: map[keyLoad]float64{}, found: map[keyLoad]*hot{}}
	},
}

// The capacity units a second of a partition, and the seconds from which on a key counts as hot.
const (
	partitionReads  = 3000
	partitionWrites = 1000
	hotSeconds      = 3
)

// keyLoad is what the load of a key is counted by.
type keyLoad struct {
	table, index, key string
	write             bool
}

// hot is a key that was over the limit.
type hot struct {
	keyLoad
	finding Finding
	most    float64 // units in a second
}

type hotKeys struct {
	review *Review
	second time.Time           // that is counted
	load   map[keyLoad]float64 // in that second
	found  map[keyLoad]*hot
}

func (h *hotKeys) see(r *Request) {
	if second := r.Time.Truncate(time.Second); second.After(h.second) {
		h.second = second
		clear(h.load)
	}
	for _, c := range r.Consumed {
		keys := h.keys(r, c)
		for _, k := range keys { // the units of a batch are spread evenly
			h.add(r, keyLoad{c.Table, c.Index, k, c.Write}, c.Units/float64(len(keys)))
		}
	}
}

// keys returns the values of the partition key that consumed the units of a request.
func (h *hotKeys) keys(r *Request, c recording.Consumed) (keys []string) {
	partition := h.review.key(c.Table, c.Index).Partition
	for _, a := range r.accesses {
		if a.table == c.Table && (a.kind != "Get") == c.Write {
			keys = append(keys, keyText(a.attributes(), partition))
		}
	}
	if r.Operation == "Query" && !c.Write && r.text("IndexName") == c.Index {
		keys = append(keys, scalarText(object(r.equals(partition))))
	}
	return keys
}

// add adds units to a key's load, and notes the request that takes it over the limit.
func (h *hotKeys) add(r *Request, of keyLoad, units float64) {
	if of.key == "" { // not known, as that of an index in an update
		return
	}
	before := h.load[of]
	h.load[of] = before + units
	if before+units <= of.limit() {
		return
	}
	k := h.found[of]
	if k == nil {
		k = &hot{keyLoad: of, finding: Finding{Table: of.table, Index: of.index}}
		h.found[of] = k
	}
	k.most = max(k.most, before+units)
	if before <= of.limit() {
		k.finding.show(r, thousands.Sprintf("takes %q over %.0f %s units in the second from %s", of.key, of.limit(), of.kind(),
			h.second.UTC().Format(time.TimeOnly)))
	}
}

func (l *keyLoad) limit() float64 {
	if l.write {
		return partitionWrites
	}
	return partitionReads
}

func (l *keyLoad) kind() string {
	if l.write {
		return "write"
	}
	return "read"
}

func (h *hotKeys) conclude() []Finding {
	var all []Finding
	for _, k := range h.found {
		if k.finding.Times < hotSeconds {
			continue
		}
		f := k.finding
		f.Problem = thousands.Sprintf("partition key %q takes up to %.0f %s units a second, in %d seconds more than the %.0f of "+
			"a partition", k.key, math.Ceil(k.most), k.kind(), f.Times, k.limit())
		f.Remedy = h.remedy(k)
		all = append(all, f)
	}
	return all
}

// remedy returns how to spread the load of a key.
func (h *hotKeys) remedy(k *hot) string {
	if !k.write {
		return "Keep what is read this often in a cache, such as DynamoDB Accelerator, or copy it to items of several partition keys"
	}
	shards := int(math.Ceil(k.most / k.limit()))
	attribute := h.review.key(k.table, k.index).Partition
	return fmt.Sprintf("Spread the key over at least %d partition keys: append a suffix to %s, chosen at random or by a hash of "+
		"the rest of the key, as in %q to %q, and query all of them", shards, attribute, k.key+".1",
		fmt.Sprintf("%s.%d", k.key, shards))
}
