package steps

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Clock is a scenario's clock. It stands still until it is moved, so that every time is known to the second.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// Now returns the scenario's time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves only the scenario's clock, not the store's.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// Timestamp formats a time as RFC 3339 in UTC, in whole seconds.
func Timestamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func (w *World) clockSteps() Group {
	return Group{Business: true, Title: "Time",
		Intro: "A scenario's clock stands still until a step moves it. The store's clock moves with it if the scenario has its own store: with a tag such as @needs:move-time or @needs:commands. Whatever becomes due, such as the expiry of an item, has happened when the step ends.",
		Steps: []Step{
			{`^(\d+) (second|minute|hour|day)s? pass(?:es)?$`, w.advanceBy, `30 days pass`, "Moves the clock, without waiting."},
			{`^the clock is moved to (\S+)$`, w.advanceTo, `the clock is moved to 2099-01-01T00:00:00Z`,
				"Moves it to a later time, in RFC 3339."},
			{`^the clock runs by itself$`, w.resume, `the clock runs by itself`,
				"The emulator's clock runs at normal speed. Needs @needs:commands."},
			{`^the clock is frozen$`, w.freeze, `the clock is frozen`, "The clock stands still again."},
			{`^items of "([^"]*)" expire at their "([^"]*)"$`, w.expireAt, `items of "sessions" expire at their "until"`,
				"Enables time to live on this attribute, in epoch seconds. {seconds in 30 days} is such a time."},
		}}
}

// advanceTo moves the clock forward to a time.
func (w *World) advanceTo(text string) error {
	to, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return fmt.Errorf("%s is not a time: write it as 2030-01-31T12:00:00Z", text)
	}
	d := to.Sub(w.Clock.Now())
	if d < 0 {
		return fmt.Errorf("it is already %s: the clock only moves forward", Timestamp(w.Clock.Now()))
	}
	return w.AdvanceClock(d)
}

func (w *World) resume() error {
	e, err := w.Emulator()
	if err == nil {
		e.Resume()
	}
	return err
}

func (w *World) freeze() error {
	e, err := w.Emulator()
	if err == nil {
		e.Freeze()
	}
	return err
}

// expireAt enables TTL on a table.
func (w *World) expireAt(ctx context.Context, table, attribute string) error {
	_, err := w.Once.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{
		TableName:               w.Table(table),
		TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: &attribute, Enabled: aws.Bool(true)},
	})
	return err
}

func (w *World) advanceBy(n int, unit string) error { return w.AdvanceClock(DurationOf(n, unit)) }

// AdvanceClock moves the scenario's clock and, if the store is the scenario's own, the store's clock. Moving the clock
// of a shared store would expire other scenarios' data.
func (w *World) AdvanceClock(d time.Duration) error {
	w.Clock.Advance(d)
	if !w.Private {
		return nil
	}
	if err := w.Target.Advance(d); err != nil {
		return fmt.Errorf("the store's clock: %w", err)
	}
	return nil
}

// DurationOf returns n units: second, minute, hour or day.
func DurationOf(n int, unit string) time.Duration {
	return time.Duration(n) * map[string]time.Duration{
		"second": time.Second, "minute": time.Minute, "hour": time.Hour, "day": 24 * time.Hour,
	}[unit]
}
