package loadtest

import (
	"maps"
	"slices"
	"time"

	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

// counts is what the responses of an attack add up to. The counts of the shards of a run can be added.
type counts struct {
	Requests  int64             `json:"requests"`
	Succeeded int64             `json:"succeeded"`
	End       time.Duration     `json:"end_ns"`  // when the last response arrived, since the start
	All       result.Histogram  `json:"latency"` // from when a request was due, without warm-up stages
	Service   result.Histogram  `json:"service"` // from when it was sent, without warm-up stages
	Kinds     map[string]bucket `json:"kinds"`   // by kind of request
	Slots     []bucket          `json:"slots"`   // of the series over time
	Stages    []stage           `json:"stages"`
	Errors    map[string]int64  `json:"errors"` // by text
}

// bucket counts the requests of one kind or one slot.
type bucket struct {
	Latency  *result.Histogram `json:"latency,omitempty"` // nil: nothing was recorded
	Requests int64             `json:"requests,omitempty"`
	Errors   int64             `json:"errors,omitempty"`
	Readings int64             `json:"readings,omitempty"`
	changed  bool              // since changedSlots was called
}

// stage counts the requests that were due in one stage. Times count from the start of the attack.
type stage struct {
	Latency result.Histogram `json:"latency"`
	Sent    int64            `json:"sent"`
	Stored  int64            `json:"stored"`
	Last    time.Duration    `json:"last_ns"` // when the last request was sent
	End     time.Duration    `json:"end_ns"`  // when the last response arrived
}

func newCounts(p profile.Profile) counts {
	c := counts{All: result.NewHistogram(3), Service: result.NewHistogram(3), Kinds: map[string]bucket{},
		Errors: map[string]int64{}, Stages: make([]stage, len(p.Stages))}
	for i := range c.Stages {
		c.Stages[i].Latency = result.NewHistogram(3)
	}
	width := slotWidth(p.Duration())
	c.Slots = make([]bucket, (p.Duration()+width-1)/width)
	return c
}

// add adds the counts of another shard of the same run.
func (c *counts) add(other *counts) {
	c.Requests, c.Succeeded = c.Requests+other.Requests, c.Succeeded+other.Succeeded
	c.End = max(c.End, other.End)
	c.All.Add(other.All)
	c.Service.Add(other.Service)
	for name, k := range other.Kinds {
		sum := c.Kinds[name]
		sum.add(k, 3)
		c.Kinds[name] = sum
	}
	for i, s := range other.Slots {
		c.slot(i).add(s, 2)
	}
	for i := range c.Stages {
		c.Stages[i].merge(other.Stages[i])
	}
	for _, text := range slices.Sorted(maps.Keys(other.Errors)) {
		c.countError(text, other.Errors[text])
	}
}

const (
	maxErrorTexts = 100 // the maximum number of error texts that are counted one by one
	otherErrors   = "other errors"
)

// countError counts n errors with a text. Texts beyond the limit are counted together, because some differ by request.
func (c *counts) countError(text string, n int64) {
	if _, known := c.Errors[text]; !known && len(c.Errors) >= maxErrorTexts {
		text = otherErrors
	}
	c.Errors[text] += n
}

// slot returns a slot of the series. A run whose pace was slowed down has more slots than planned.
func (c *counts) slot(i int) *bucket {
	for len(c.Slots) <= i {
		c.Slots = append(c.Slots, bucket{})
	}
	return &c.Slots[i]
}

func (b *bucket) count(failed bool) {
	b.Requests++
	b.changed = true
	if failed {
		b.Errors++
	}
}

// time records a latency with the given number of significant digits.
func (b *bucket) time(micros int64, digits int) { b.histogram(digits).Record(micros) }

// histogram returns the bucket's histogram, which it creates if there is none.
func (b *bucket) histogram(digits int) *result.Histogram {
	if b.Latency == nil {
		h := result.NewHistogram(digits)
		b.Latency = &h
	}
	return b.Latency
}

// add adds a bucket of another shard, whose histogram has the given number of significant digits.
func (b *bucket) add(other bucket, digits int) {
	b.Requests, b.Errors, b.Readings = b.Requests+other.Requests, b.Errors+other.Errors, b.Readings+other.Readings
	if other.Latency != nil {
		b.histogram(digits).Add(*other.Latency)
	}
}

// latency returns the distribution of the bucket's latencies.
func (b *bucket) latency() result.Latency {
	if b.Latency == nil {
		return result.Latency{}
	}
	return result.LatencyOf(*b.Latency)
}

// merge adds a stage of another shard.
func (s *stage) merge(other stage) {
	s.Latency.Add(other.Latency)
	s.Sent, s.Stored = s.Sent+other.Sent, s.Stored+other.Stored
	s.Last, s.End = max(s.Last, other.Last), max(s.End, other.End)
}

// report writes the figures of a profile's run to a report.
func (c *counts) report(p profile.Profile, r *result.Report) {
	r.Seconds = max(c.End, p.Duration()).Seconds()
	r.Requests, r.Rate = c.Requests, float64(c.Requests)/p.Duration().Seconds()
	r.Throughput = float64(c.Succeeded) / busyTime(0, c.End, p.Duration()).Seconds()
	r.ErrorTexts, r.Latency, r.ServiceTime = c.Errors, result.LatencyOf(c.All), result.LatencyOf(c.Service)
	for _, n := range c.Errors {
		r.Errors += n
	}
	for _, name := range slices.Sorted(maps.Keys(c.Kinds)) {
		k := c.Kinds[name]
		r.Kinds = append(r.Kinds, result.KindStats{Request: name, Requests: k.Requests, Errors: k.Errors,
			Latency: k.latency()})
	}
	r.Stages, r.Spectrum = c.stageStats(p), result.Spectrum(c.All)
	width := slotWidth(p.Duration())
	r.Series = make([]result.Slot, len(c.Slots))
	for i := range c.Slots {
		r.Series[i] = c.slotAt(i, width)
	}
}

func (c *counts) stageStats(p profile.Profile) []result.StageStats {
	var list []result.StageStats
	var begin time.Duration
	for i, s := range p.Stages {
		length, of := time.Duration(s.Duration), &c.Stages[i]
		list = append(list, result.StageStats{Planned: s.Mean(), Latency: result.LatencyOf(of.Latency),
			Sent:              float64(of.Sent) / max(length, of.Last-begin).Seconds(),
			ReadingsPerSecond: float64(of.Stored) / busyTime(begin, of.End, length).Seconds()})
		begin += length
	}
	return list
}

// grace is how late the last responses may arrive before the rate fails. Latency has limits of its own.
const grace = time.Second

// busyTime returns how long a load kept the target busy, given its planned duration.
func busyTime(begin, lastAnswer, planned time.Duration) time.Duration {
	return max(planned, lastAnswer-begin-grace)
}

// slotAt returns a point of the series, whose slots have this width.
func (c *counts) slotAt(i int, width time.Duration) result.Slot {
	b, seconds := &c.Slots[i], width.Seconds()
	l := b.latency()
	return result.Slot{At: float64(i) * seconds, Sent: float64(b.Requests) / seconds, Errors: float64(b.Errors) / seconds,
		Readings: float64(b.Readings) / seconds, P50: l.P50, P90: l.P90, P99: l.P99, Max: l.Max}
}
