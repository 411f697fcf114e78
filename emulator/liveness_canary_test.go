package emulator_test

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// canary repeatedly sends requests that are independent of the hostile requests.
type canary struct {
	name  string
	ask   []func(context.Context) error // one request each
	ended chan struct{}
	took  []time.Duration
	errs  []error
}

// pace is the interval of a canary's requests, unless it waits for a response. All of them together are a small load.
const pace = 4 * time.Millisecond

// release runs the canaries until ctx is done, at least one request each.
func (a *livenessTest) release(ctx context.Context) []*canary {
	all := a.startCanaries()
	for _, c := range all {
		c.ended = make(chan struct{})
		go c.probe(ctx)
	}
	return all
}

func (a *livenessTest) startCanaries() []*canary {
	return []*canary{
		{name: "other cloud", ask: a.cosmosRoundTrip("canary", "canary")},
		{name: "other table", ask: a.roundTrip("canary")},
		{name: "same table", ask: a.roundTrip("victim")},
		{name: "same partition", ask: a.cosmosRoundTrip("victim", "x")},
	}
}

// probeOnce sends one request of each canary.
func (a *livenessTest) probeOnce() {
	a.t.Helper()
	for _, c := range a.startCanaries() {
		for _, ask := range c.ask {
			if err := ask(a.t.Context()); err != nil {
				a.t.Fatal(err)
			}
		}
	}
}

func (c *canary) probe(ctx context.Context) {
	defer close(c.ended)
	next := time.NewTicker(pace)
	defer next.Stop()
	for first := true; first || ctx.Err() == nil; first = false {
		for _, ask := range c.ask {
			<-next.C
			began := time.Now()
			one, cancel := context.WithTimeout(context.WithoutCancel(ctx), stuckAfter)
			err := ask(one)
			cancel()
			c.took = append(c.took, time.Since(began))
			if err != nil {
				c.errs = append(c.errs, err)
			}
		}
	}
}

// latencies are the latencies of a canary's requests.
type latencies struct{ p50, p99, max time.Duration }

// check compares an ended canary with its limits. A bound of 0 means none.
func (c *canary) check(a *livenessTest, bound time.Duration) latencies {
	<-c.ended
	if len(c.errs) > 0 {
		a.problemf("%s: %d of %d requests failed: %v", c.name, len(c.errs), len(c.took), c.errs[0])
	}
	slices.Sort(c.took)
	l := latencies{c.took[len(c.took)/2], c.took[len(c.took)*99/100], c.took[len(c.took)-1]}
	if bound > 0 && l.p99 > bound {
		a.problemf("%s: p99 %s ms, want %s at most", c.name, milliseconds(l.p99), milliseconds(bound))
	}
	return l
}

// String returns p50, p99 and maximum in milliseconds.
func (l latencies) String() string {
	return milliseconds(l.p50) + " / " + milliseconds(l.p99) + " / " + milliseconds(l.max)
}

func milliseconds(d time.Duration) string {
	if d < 10*time.Millisecond {
		return fmt.Sprintf("%.1f", d.Seconds()*1000)
	}
	return fmt.Sprint(d.Milliseconds())
}
