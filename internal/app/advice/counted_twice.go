package advice

import (
	"fmt"
	"hash/maphash"
	"maps"
	"time"
)

// countedTwice finds updates that add to a number or append to a list and were sent again after their response was
// lost, or after the service failed: what was done already is done again. It needs to see that happen. An update that
// the program sends repeatedly anyway, such as that of a counter of views, is no finding, because its repetition may be
// meant.
var countedTwice = Rule{
	ID:    "counted-twice",
	Title: "updates that add or append, sent again after a failure",
	Source: "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/WorkingWithItems.html" +
		"#WorkingWithItems.AtomicCounters",
	watch: func(*Review) watcher {
		return dynamoDB{&counters{seed: maphash.MakeSeed(), done: map[uint64]time.Time{}, failed: map[uint64]*Request{},
			of: map[string]*recounted{}}}
	},
}

// sameRequest is how long after a failure a request is taken for its repetition. Waits of SDKs end at 20 seconds.
const sameRequest = time.Minute

type counters struct {
	seed   maphash.Seed
	done   map[uint64]time.Time // by identity: when such an update was done last
	failed map[uint64]*Request  // by identity: the client does not know whether it was done
	pruned time.Time
	of     map[string]*recounted
}

// recounted is the repeated updates of one table.
type recounted struct {
	finding Finding
	twice   int // of which it is certain that both were done
}

func (c *counters) see(r *Request) {
	c.prune(r.Time)
	if r.Operation != "UpdateItem" || len(r.accesses) == 0 || r.accesses[0].conditional() || !accumulates(r.Body) {
		return
	}
	id := maphash.String(c.seed, r.identity())
	switch first := c.failed[id]; {
	case first != nil && r.Done() && r.Time.Sub(first.Time) < sameRequest:
		c.note(first, r)
		delete(c.failed, id)
	case r.Done():
		c.done[id] = r.Time
		delete(c.failed, id)
	case first == nil && (r.Lost || r.Status >= 500):
		if last, ok := c.done[id]; !ok || r.Time.Sub(last) > sameRequest {
			c.failed[id] = r
		}
	case first != nil && r.Lost && !first.Lost:
		c.failed[id] = r
	}
}

// prune forgets updates that are too old to be repeated.
func (c *counters) prune(now time.Time) {
	if now.Sub(c.pruned) < sameRequest {
		return
	}
	c.pruned = now
	maps.DeleteFunc(c.done, func(_ uint64, at time.Time) bool { return now.Sub(at) > sameRequest })
	maps.DeleteFunc(c.failed, func(_ uint64, first *Request) bool { return now.Sub(first.Time) >= sameRequest })
}

// note notes an update that was sent again.
func (c *counters) note(first, again *Request) {
	table := again.accesses[0].table
	t := c.of[table]
	if t == nil {
		t = &recounted{finding: Finding{Table: table}}
		c.of[table] = t
	}
	text := "fails with " + first.Error + ", after which it may or may not have been done"
	if first.Lost {
		t.twice++
		text = "is done, but its response is lost"
	}
	t.finding.show(again, fmt.Sprintf("repeats #%d, which %s", first.N, text))
}

func (c *counters) conclude() []Finding {
	var all []Finding
	for _, t := range ordered(c.of) {
		f := t.finding
		f.Problem = fmt.Sprintf("%s sent again after a failure; %d of them were done twice",
			times(f.Times, "update that adds or appends was", "updates that add or append were"), t.twice)
		f.Remedy = "Send the update with TransactWriteItems and a ClientRequestToken, which makes repetitions within ten " +
			"minutes count once; or together with a Put of the request's id on the condition attribute_not_exists, which " +
			"makes all repetitions fail"
		all = append(all, f)
	}
	return all
}
