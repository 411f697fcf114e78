package telemetry

import (
	"context"
	"fmt"
	"time"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/steps"
	"github.com/tabletop-db/tabletop/features/wire"
)

func (w *world) retentionSteps(sc *godog.ScenarioContext) {
	sc.Step(`^the service keeps readings for (\d+) days$`, w.keepsFor)
	sc.Step(`^"([^"]*)" delivers a reading taken 1 millisecond before a full second$`, w.deliversJustBefore)
	sc.Step(`^its expiry is 90 days later, with the fraction of the second cut off$`, func(ctx context.Context) error {
		return w.expiresAt(ctx, w.Clock.Now().Add(-time.Second+steps.DurationOf(90, "day")))
	})
	sc.Step(`^its expiry is (\d+) days after its time$`, func(ctx context.Context, days int) error {
		return w.expiresAt(ctx, w.lastSent().Add(steps.DurationOf(days, "day")))
	})
}

func (w *world) keepsFor(days int) error {
	w.retention = steps.DurationOf(days, "day")
	return w.start()
}

func (w *world) deliversJustBefore(ctx context.Context, name string) error {
	// The scenario's clock starts at a full second.
	return w.deliverNamed(ctx, name, "it", w.Clock.Now().Add(-time.Millisecond))
}

// lastSent returns the time of the last reading that the current device has sent.
func (w *world) lastSent() time.Time {
	sent := w.current.sent
	return time.UnixMilli(sent[len(sent)-1]["timestamp_ms"].(int64))
}

// expiresAt checks the expiry of the only stored reading.
func (w *world) expiresAt(ctx context.Context, at time.Time) error {
	items, err := w.Items(ctx, "device_readings")
	if err != nil {
		return err
	}
	want := fmt.Sprint(at.Unix())
	if len(items) != 1 || wire.Value(items[0]["expiration_time"]) != want {
		return fmt.Errorf("it is not %s: %v", want, items)
	}
	return nil
}
