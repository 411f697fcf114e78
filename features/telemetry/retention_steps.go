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
	sc.Step(`^its expiry is 90 days later, with the fraction of the second cut off$`, w.expiryIsCut)
}

func (w *world) keepsFor(days int) error {
	w.retention = steps.DurationOf(days, "day")
	return w.start()
}

func (w *world) deliversJustBefore(ctx context.Context, name string) error {
	// The scenario's clock starts at a full second.
	return w.deliverNamed(ctx, name, "it", w.Clock.Now().Add(-time.Millisecond))
}

func (w *world) expiryIsCut(ctx context.Context) error {
	items, err := w.Items(ctx, "device_readings")
	if err != nil {
		return err
	}
	want := fmt.Sprint(w.Clock.Now().Add(-time.Second).Unix() + int64(steps.DurationOf(90, "day").Seconds()))
	if len(items) != 1 || wire.Value(items[0]["expiration_time"]) != want {
		return fmt.Errorf("it is not %s: %v", want, items)
	}
	return nil
}
