package steps

import (
	"fmt"
	"sync"
	"time"

	"github.com/cucumber/godog"
)

// Clock is a scenario's clock. It stands still until it is moved, so that a scenario knows each time to the second.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// Now is the time of the scenario.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock of the scenario alone, not the store's.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// Timestamp writes a time as RFC 3339 in UTC, in whole seconds.
func Timestamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func (w *World) registerClock(sc *godog.ScenarioContext) {
	sc.Step(`^(\d+) (second|minute|hour|day)s? pass(?:es)?$`, w.pass)
}

// pass moves the scenario's clock, and the store's where the store is the scenario's alone: moving that of a shared
// store would end other scenarios' lifetimes.
func (w *World) pass(n int, unit string) error {
	d := Span(n, unit)
	w.Clock.Advance(d)
	if !w.Private {
		return nil
	}
	if err := w.Target.Advance(d); err != nil {
		return fmt.Errorf("the store's clock: %w", err)
	}
	return nil
}

// Span is n units: second, minute, hour or day.
func Span(n int, unit string) time.Duration {
	return time.Duration(n) * map[string]time.Duration{
		"second": time.Second, "minute": time.Minute, "hour": time.Hour, "day": 24 * time.Hour,
	}[unit]
}
