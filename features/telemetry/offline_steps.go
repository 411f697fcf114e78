package telemetry

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/httpapi"
)

func (w *world) offline(sc *godog.ScenarioContext) {
	sc.Step(`^a fleet of (\d+) devices that has been offline for (\d+) hours, with a reading every (\d+) minutes$`,
		w.cutOff)
	sc.Step(`^each device had delivered half of them$`, w.halfDelivered)
	sc.Step(`^the connection returns and each device delivers all it has, in its own order$`, w.deliverBacklogs)
	sc.Step(`^the connection returns and each device delivers until all is acknowledged$`, w.deliverUntilAcknowledged)
	sc.Step(`^the service has each of the (\d+) readings once$`, w.hasEachOnce)
	sc.Step(`^each device's readings are read back in the order of their times$`, w.readBack)
}

func (w *world) cutOff(ctx context.Context, devices, hours, every int) error {
	for i := range devices {
		name := fmt.Sprintf("device %02d", i+1)
		if err := w.isRegistered(ctx, name); err != nil {
			return err
		}
		d := w.device(name)
		w.fleet = append(w.fleet, d)
		for m := hours * 60; m > 0; m -= every {
			d.sent = append(d.sent, d.reading(w.Clock.Now().Add(-time.Duration(m)*time.Minute)))
		}
	}
	return nil
}

func (w *world) halfDelivered(ctx context.Context) error {
	for _, d := range w.fleet {
		if err := w.deliver(ctx, d.sent[:len(d.sent)/2]); err != nil {
			return err
		}
	}
	return w.Last.Succeeded()
}

func (w *world) deliverBacklogs(ctx context.Context) error { return w.backlogs(ctx, 1) }

func (w *world) deliverUntilAcknowledged(ctx context.Context) error { return w.backlogs(ctx, 10) }

// backlogs makes all devices deliver in parallel, each with up to 50 readings at a time in its own order. A delivery
// without a response is repeated, up to this number of tries.
func (w *world) backlogs(ctx context.Context, tries int) error {
	key, err := w.fleetKey(ctx)
	if err != nil {
		return err
	}
	answers := make([][]httpapi.Response, len(w.fleet))
	w.SendConcurrently(len(w.fleet), func(i int) httpapi.Response {
		for batch := range slices.Chunk(shuffled(w.fleet[i].sent, uint64(i)), 50) {
			answers[i] = append(answers[i], w.sendUntilAnswered(ctx, key, batch, tries))
		}
		return httpapi.Response{}
	})
	w.Responses = slices.Concat(answers...)
	_, err = total(w.Responses)
	return err
}

func (w *world) sendUntilAnswered(ctx context.Context, as httpapi.Credential, batch []reading,
	tries int) httpapi.Response {
	var a httpapi.Response
	for range tries {
		if a = w.Send(ctx, as, http.MethodPost, "/readings", body(batch)); a.Err == nil {
			return a
		}
	}
	return a
}

func (w *world) hasEachOnce(ctx context.Context, n int) error {
	items, err := w.Items(ctx, "device_readings")
	if err != nil {
		return err
	}
	if len(items) != n {
		return fmt.Errorf("it has %d", len(items))
	}
	return w.readBack(ctx)
}

func (w *world) readBack(ctx context.Context) error {
	for _, d := range w.fleet {
		if err := w.listReadings(ctx, d, url.Values{"limit": {"100"}}); err != nil {
			return err
		}
		if err := sameOnce(d.sent, w.listed()); err != nil {
			return fmt.Errorf("%s: %w", d.name, err)
		}
	}
	return nil
}
