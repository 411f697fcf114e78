package loadtest

import (
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
	"github.com/tabletop-db/tabletop/loadtest/traffic"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// maxSlots is the maximum number of points of a series. Each holds a histogram while the attack runs.
const maxSlots = 240

// collector collects the results of an attack, one at a time.
type collector struct {
	counts
	profile profile.Profile
	shard   sim.Shard
	began   time.Time
	width   time.Duration // width of a slot
	handle  func(kind string, r *vegeta.Result, at time.Duration) (stored int64, wrong string)
	export  func(r *vegeta.Result, late time.Duration, stage int) // nil: no export
}

func newCollector(p profile.Profile, shard sim.Shard, began time.Time,
	handle func(string, *vegeta.Result, time.Duration) (int64, string)) *collector {
	return &collector{counts: newCounts(p), profile: p, shard: shard, began: began, handle: handle,
		width: slotWidth(p.Duration())}
}

// slotWidth returns the width of a slot: a second, more in a long run to limit the number of slots, and less in a run
// of a few seconds.
func slotWidth(run time.Duration) time.Duration {
	switch {
	case run < 10*time.Second:
		return max(run/20, time.Millisecond)
	case run > maxSlots*time.Second:
		return (run/maxSlots + time.Second).Truncate(time.Second)
	}
	return time.Second
}

func (c *collector) add(r *vegeta.Result) {
	kind, at := traffic.KindOf(r), r.Timestamp.Sub(c.began)
	c.Requests++
	c.End = max(c.End, r.End().Sub(c.began))
	stored, problem := c.handle(kind, r, at)
	if r.Error != "" {
		problem = traffic.ErrorText(r)
	}
	failed := problem != ""
	if failed {
		c.countError(problem, 1)
	} else {
		c.Succeeded++
	}
	late, i := c.lateness(r)
	if c.export != nil {
		c.export(r, late, i)
	}
	micros := max((late + r.Latency).Microseconds(), 1)
	slot := c.slot(min(max(int(at/c.width), 0), 2*maxSlots))
	slot.count(failed)
	slot.time(micros, 2)
	slot.Readings += stored
	c.Stages[i].add(at, r.End().Sub(c.began), stored, micros)
	k := c.Kinds[kind]
	k.count(failed)
	if !c.profile.Stages[i].WarmUp {
		c.All.Record(micros)
		c.Service.Record(max(r.Latency.Microseconds(), 1))
		k.time(micros, 3)
	}
	c.Kinds[kind] = k
}

// lateness returns how long after its due time a request was sent, and the stage in which it was due. Latency counts
// from the due time: a generator that delays its next request while it waits for a slow target would otherwise leave
// out just the slow requests ("coordinated omission").
func (c *collector) lateness(r *vegeta.Result) (late time.Duration, stage int) {
	due, stage := profile.Pacer(c.profile.Stages).Due(c.shard.Arrival(r.Seq))
	return max(0, r.Timestamp.Sub(c.began)-due), min(stage, len(c.Stages)-1)
}

// add counts a request that was sent at a time since the start, and its response.
func (s *stage) add(sent, end time.Duration, stored, micros int64) {
	s.Sent++
	s.Stored += stored
	s.Last, s.End = max(s.Last, sent), max(s.End, end)
	s.Latency.Record(micros)
}

// changedSlots returns the points of the series that have changed since the previous call.
func (c *collector) changedSlots() (list []result.Slot) {
	for i := range c.Slots {
		if c.Slots[i].changed {
			list = append(list, c.slotAt(i, c.width))
			c.Slots[i].changed = false
		}
	}
	return list
}
