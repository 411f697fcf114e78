package loadtest

import (
	"maps"
	"slices"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	vegeta "github.com/tsenart/vegeta/v12/lib"

	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
	"github.com/tabletop-db/tabletop/loadtest/traffic"
)

// maxSlots is the maximum number of points of a series. Each holds a histogram while the attack runs.
const maxSlots = 240

// collector collects the results of an attack, one at a time.
type collector struct {
	profile profile.Profile
	began   time.Time
	width   time.Duration // width of a slot
	handle  func(kind string, r *vegeta.Result, at time.Duration) (stored int64, wrong string)
	export  func(r *vegeta.Result, late time.Duration, stage int) // nil: no export

	metrics vegeta.Metrics
	all     *hdrhistogram.Histogram // latency from when a request was due
	service *hdrhistogram.Histogram // latency from when it was sent
	kinds   map[string]*bucket
	slots   []bucket
	stages  []stage
	errors  map[string]int64
}

// bucket counts the requests of one kind or one slot.
type bucket struct {
	latency                    *hdrhistogram.Histogram
	requests, errors, readings int64
	changed                    bool // since changedSlots was called
}

// stage counts the requests that were due in one stage.
type stage struct {
	latency      *hdrhistogram.Histogram
	sent, stored int64
	last         time.Time // when the last request was sent
	end          time.Time // when the last response arrived
}

func newCollector(p profile.Profile, began time.Time, answered func(string, *vegeta.Result, time.Duration) (int64,
	string)) *collector {
	c := &collector{profile: p, began: began, handle: answered, all: result.NewHistogram(3),
		service: result.NewHistogram(3), kinds: map[string]*bucket{}, errors: map[string]int64{},
		stages: make([]stage, len(p.Stages))}
	for i := range c.stages {
		c.stages[i].latency = result.NewHistogram(3)
	}
	c.width = slotWidth(p.Duration())
	c.slots = make([]bucket, (p.Duration()+c.width-1)/c.width)
	return c
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
	kind := traffic.KindOf(r)
	c.metrics.Add(r)
	if r.Error != "" {
		c.errors[traffic.ErrorText(r)]++
	}
	at := r.Timestamp.Sub(c.began)
	stored, wrong := c.handle(kind, r, at)
	if wrong != "" {
		c.errors[wrong]++
	}
	late, i := c.lateness(r)
	if c.export != nil {
		c.export(r, late, i)
	}
	micros := max((late + r.Latency).Microseconds(), 1)
	slot := c.slot(at)
	slot.count(r.Error != "")
	slot.time(micros, 2)
	slot.readings += stored
	c.stages[i].add(r, stored)
	record(c.stages[i].latency, micros)
	k := c.kind(kind)
	k.count(r.Error != "")
	if !c.profile.Stages[i].WarmUp {
		record(c.all, micros)
		record(c.service, max(r.Latency.Microseconds(), 1))
		k.time(micros, 3)
	}
}

// lateness returns how long after its due time a request was sent, and the stage in which it was due. Latency counts
// from the due time: a generator that delays its next request while it waits for a slow target would otherwise leave
// out just the slow requests ("coordinated omission").
func (c *collector) lateness(r *vegeta.Result) (late time.Duration, stage int) {
	due, stage := profile.Pacer(c.profile.Stages).Due(r.Seq)
	return max(0, r.Timestamp.Sub(c.began)-due), min(stage, len(c.stages)-1)
}

// kind returns the bucket of a kind of request.
func (c *collector) kind(name string) *bucket {
	if c.kinds[name] == nil {
		c.kinds[name] = &bucket{latency: result.NewHistogram(3)}
	}
	return c.kinds[name]
}

func (s *stage) add(r *vegeta.Result, stored int64) {
	s.sent++
	s.stored += stored
	if r.Timestamp.After(s.last) {
		s.last = r.Timestamp
	}
	if r.End().After(s.end) {
		s.end = r.End()
	}
}

// slot returns the bucket of a time since the start. A run whose pace was slowed down has more slots than planned.
func (c *collector) slot(at time.Duration) *bucket {
	i := min(max(int(at/c.width), 0), 2*maxSlots)
	for len(c.slots) <= i {
		c.slots = append(c.slots, bucket{})
	}
	return &c.slots[i]
}

func (b *bucket) count(failed bool) {
	b.requests++
	b.changed = true
	if failed {
		b.errors++
	}
}

// time records a latency with the given number of significant digits.
func (b *bucket) time(micros int64, digits int) {
	if b.latency == nil {
		b.latency = result.NewHistogram(digits)
	}
	record(b.latency, micros)
}

// record records a latency, limited to the longest that the histogram holds.
func record(h *hdrhistogram.Histogram, micros int64) {
	_ = h.RecordValue(min(micros, h.HighestTrackableValue()))
}

// report writes the collected figures to a report.
func (c *collector) report(r *result.Report) {
	c.metrics.Close()
	r.Seconds = max(c.metrics.End.Sub(c.began), c.profile.Duration()).Seconds()
	r.Requests, r.Rate = int64(c.metrics.Requests), float64(c.metrics.Requests)/c.profile.Duration().Seconds()
	r.Throughput = c.metrics.Success * float64(c.metrics.Requests) / busyTime(c.began, c.metrics.End,
		c.profile.Duration()).Seconds()
	r.ErrorTexts, r.Latency, r.ServiceTime = c.errors, result.LatencyOf(c.all), result.LatencyOf(c.service)
	for _, n := range c.errors {
		r.Errors += n
	}
	for _, name := range slices.Sorted(maps.Keys(c.kinds)) {
		k := c.kinds[name]
		r.Kinds = append(r.Kinds, result.KindStats{Request: name, Requests: k.requests, Errors: k.errors,
			Latency: result.LatencyOf(k.latency)})
	}
	r.Stages, r.Series, r.Spectrum = c.stageStats(), c.series(), result.Spectrum(c.all)
}

func (c *collector) stageStats() []result.StageStats {
	var list []result.StageStats
	begin := c.began
	for i, s := range c.profile.Stages {
		length := time.Duration(s.Duration)
		list = append(list, result.StageStats{Planned: s.Mean(), Latency: result.LatencyOf(c.stages[i].latency),
			Sent:              float64(c.stages[i].sent) / max(length, c.stages[i].last.Sub(begin)).Seconds(),
			ReadingsPerSecond: float64(c.stages[i].stored) / busyTime(begin, c.stages[i].end, length).Seconds()})
		begin = begin.Add(length)
	}
	return list
}

// grace is how late the last responses may arrive before the rate fails. Latency has limits of its own.
const grace = time.Second

// busyTime returns how long a load kept the target busy, given its planned duration.
func busyTime(begin, lastAnswer time.Time, planned time.Duration) time.Duration {
	return max(planned, lastAnswer.Sub(begin)-grace)
}

func (c *collector) series() []result.Slot {
	list := make([]result.Slot, len(c.slots))
	for i := range c.slots {
		list[i] = c.slotAt(i)
	}
	return list
}

// changedSlots returns the points of the series that have changed since the previous call.
func (c *collector) changedSlots() (list []result.Slot) {
	for i := range c.slots {
		if c.slots[i].changed {
			list = append(list, c.slotAt(i))
			c.slots[i].changed = false
		}
	}
	return list
}

// slotAt returns a point of the series.
func (c *collector) slotAt(i int) result.Slot {
	b, seconds := &c.slots[i], c.width.Seconds()
	slot := result.Slot{At: float64(i) * seconds, Sent: float64(b.requests) / seconds, Errors: float64(b.errors) / seconds,
		Readings: float64(b.readings) / seconds}
	if b.latency != nil {
		l := result.LatencyOf(b.latency)
		slot.P50, slot.P90, slot.P99, slot.Max = l.P50, l.P90, l.P99, l.Max
	}
	return slot
}
