package loadtest

import (
	"cmp"
	"context"
	"net/http"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"github.com/tabletop-db/tabletop/loadtest/export"
	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
	"github.com/tabletop-db/tabletop/loadtest/traffic"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// attack sends the profile's requests to the subject through client, and returns the counts of the responses, or nil if
// the context ends. recorder may be nil.
func (c Config) attack(ctx context.Context, client *http.Client, s traffic.Subject,
	recorder *export.Recorder) *counts {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	attacker := vegeta.NewAttacker(vegeta.Client(client),
		vegeta.MaxWorkers(uint64(c.shard().Part(cmp.Or(c.Profile.Workers, profile.MaxWorkers)))))
	stop := context.AfterFunc(ctx, func() { attacker.Stop() })
	defer stop()
	c.Meter.Reset(c.prefix())
	if c.Cosmos != nil {
		c.Cosmos.Meter.Reset()
	}
	began := time.Now()
	col := newCollector(c.Profile, c.shard(), began, s.HandleResponse)
	if recorder != nil {
		recorder.Begin(began)
		col.export = recorder.Add
	}
	results := attacker.Attack(traffic.Targeter(ctx, s, c.Profile.Mix, c.shard()),
		lagCompensated{profile.Pacer(c.Profile.Stages), c.shard()}, 0, c.Profile.ID)
	if !c.collect(ctx, results, col) {
		return nil
	}
	return &col.counts
}

// timerLag is how late a sleep of the Go runtime ends on Linux, where the poller has millisecond resolution.
const timerLag = time.Millisecond

// lagCompensated is a Pacer that compensates for the timer's lag. A request that is sent slightly early does no harm:
// its latency then counts from when it was sent.
// It paces the requests that a shard sends.
type lagCompensated struct {
	profile.Pacer
	shard sim.Shard
}

// Pace implements vegeta.Pacer.
func (p lagCompensated) Pace(elapsed time.Duration, hits uint64) (wait time.Duration, stop bool) {
	wait, stop = p.Pacer.Pace(elapsed, p.shard.Arrival(hits))
	return max(0, wait-timerLag), stop
}

// collect passes all results to the collector and reports the progress. It returns false if the context ends first; the
// requests still under way then end by themselves.
func (c Config) collect(ctx context.Context, results <-chan *vegeta.Result, col *collector) bool {
	tick := time.NewTicker(progressInterval)
	defer tick.Stop()
	var last Progress
	for {
		select {
		case r, open := <-results:
			if !open {
				c.show(col, &last, time.Now())
				return true
			}
			col.add(r)
		case now := <-tick.C:
			c.show(col, &last, now)
		case <-ctx.Done():
			go func() {
				for range results {
				}
			}()
			return false
		}
	}
}

func (c Config) show(col *collector, last *Progress, now time.Time) {
	if c.Progress == nil {
		return
	}
	elapsed := now.Sub(col.began)
	latency := result.LatencyOf(col.All)
	p := Progress{At: now, Profile: c.Profile.ID, Phase: Attacking,
		Share:   float64(elapsed) / float64(c.Profile.Duration()),
		Elapsed: elapsed, Requests: col.Requests, P50: latency.P50, P90: latency.P90, P99: latency.P99,
		Throttled: c.throttled(), Series: col.changedSlots()}
	for _, n := range col.Errors {
		p.Errors += n
	}
	if passed := now.Sub(last.At).Seconds(); !last.At.IsZero() && passed > 0 {
		p.Rate = 0.8*last.Rate + 0.2*float64(p.Requests-last.Requests)/passed
	} else {
		p.Rate = float64(p.Requests) / max(elapsed.Seconds(), 0.001)
	}
	*last = p
	c.Progress(p)
}

// throttled returns the number of attempts that the databases have throttled.
func (c Config) throttled() int64 {
	n := c.Meter.Throttled()
	if c.Cosmos != nil {
		n += c.Cosmos.Meter.Throttled()
	}
	return n
}
