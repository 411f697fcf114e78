package fleet

import (
	"context"
	"maps"
	"sync/atomic"
	"time"

	"github.com/tabletop-db/tabletop/simulators/telemetryapi"
	"golang.org/x/sync/errgroup"
)

// readBackResult is the result of reading back one device.
type readBackResult struct {
	read, matched, lost, duplicated, changed, unexpected int64
	faults                                               []string
}

// reconcile reads every device's readings back through the API and compares them with those of its plan.
func reconcile(ctx context.Context, r *run, res *Result) error {
	all := make([]readBackResult, len(r.devices))
	var done atomic.Int64
	finished := make(chan error, 1)
	go func() { finished <- r.readAllBack(ctx, all, &done) }()
	if err := r.reportUntil(finished, &done); err != nil {
		return err
	}
	for _, f := range all {
		res.add(f)
	}
	res.Reconciled = true
	return nil
}

// reportUntil reports how many devices are done until finished delivers its error.
func (r *run) reportUntil(finished <-chan error, done *atomic.Int64) error {
	tick := time.NewTicker(r.cfg.ProgressInterval)
	defer tick.Stop()
	for {
		select {
		case err := <-finished:
			return err
		case now := <-tick.C:
			r.readBackDone = int(done.Load())
			r.report(now)
		}
	}
}

func (r *run) readAllBack(ctx context.Context, all []readBackResult, done *atomic.Int64) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(r.cfg.Concurrency)
	for i, d := range r.devices {
		g.Go(func() (err error) {
			all[i], err = r.readBack(ctx, d)
			done.Add(1)
			return err
		})
	}
	return g.Wait()
}

// expectedReadings replays the device's plan: it returns the readings of the whole run by batch id, except those that
// the backend rejected.
func (r *run) expectedReadings(d *device) map[string]telemetryapi.Reading {
	readings := map[string]telemetryapi.Reading{}
	events := d.plan.Events()
	for e := events.Next(); e.At <= r.now; e = events.Next() {
		if e.Kind != Measured {
			continue
		}
		reading := d.plan.Reading(r.cfg.Start, e.At, e.Boot)
		if !r.tally.rejected[reading.BatchID] {
			readings[reading.BatchID] = reading
		}
	}
	return readings
}

func (r *run) readBack(ctx context.Context, d *device) (readBackResult, error) {
	var f readBackResult
	expected := r.expectedReadings(d)
	seen := map[string]bool{}
	const skew = time.Hour // more than any clock is wrong
	from, to := r.cfg.Start.Add(-skew).UnixMilli(), r.cfg.Start.Add(r.now+skew).UnixMilli()
	for cursor := ""; ; {
		var page telemetryapi.Page
		err := r.sender.withRetries(ctx, func() (err error) {
			page, err = d.client.Readings(ctx, d.plan.HardwareID, from, to, telemetryapi.MaxReadings, cursor)
			return err
		})
		if err != nil {
			return f, err
		}
		for _, got := range page.Readings {
			f.compare(got, expected, seen)
		}
		if cursor = page.NextCursor; cursor == "" {
			break
		}
	}
	for id := range expected {
		if !seen[id] {
			f.lost++
			f.faults = append(f.faults, "lost: "+id)
		}
	}
	return f, nil
}

func (f *readBackResult) compare(got telemetryapi.Reading, expected map[string]telemetryapi.Reading,
	seen map[string]bool) {
	f.read++
	want, ours := expected[got.BatchID]
	switch {
	case !ours:
		f.unexpected++
	case seen[got.BatchID]:
		f.duplicated++
		f.faults = append(f.faults, "found twice: "+got.BatchID)
	case !equalReadings(got, want):
		f.changed++
		f.faults = append(f.faults, "changed: "+got.BatchID)
	default:
		f.matched++
	}
	seen[got.BatchID] = true
}

func equalReadings(a, b telemetryapi.Reading) bool {
	return a.HardwareID == b.HardwareID && a.BootID == b.BootID && a.FirmwareVersion == b.FirmwareVersion &&
		a.TimestampMS == b.TimestampMS && maps.Equal(a.Sensors, b.Sensors) && maps.Equal(a.SensorStatus, b.SensorStatus)
}
