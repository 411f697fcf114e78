package fleet

import (
	"context"
	"maps"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/telemetryapi"
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

const (
	readingsPerSlice = 2000      // of a device, which are compared at a time: a run of months does not fit into memory
	clockMargin      = time.Hour // more than any device's clock is wrong
)

// readBack compares the readings of a device in slices of time by its own clock.
func (r *run) readBack(ctx context.Context, d *device) (f readBackResult, err error) {
	from, end := r.cfg.Start.Add(-clockMargin).UnixMilli(), r.cfg.Start.Add(r.now+clockMargin).UnixMilli()
	length := readingsPerSlice * r.cfg.Interval.Milliseconds()
	expected := r.expectedReadings(d)
	for ; from <= end && err == nil; from += length {
		to := min(from+length-1, end)
		err = r.readSliceBack(ctx, d, &f, from, to, expected.until(to))
	}
	return f, err
}

// readSliceBack compares the readings of a device between these epoch milliseconds, both inclusive.
func (r *run) readSliceBack(ctx context.Context, d *device, f *readBackResult, from, to int64,
	expected map[string]telemetryapi.Reading) error {
	seen := map[string]bool{}
	for cursor := ""; ; {
		var page telemetryapi.Page
		err := r.sender.withRetries(ctx, func() (err error) {
			page, err = d.client.Readings(ctx, d.plan.HardwareID, from, to, telemetryapi.MaxReadings, cursor)
			return err
		})
		if err != nil {
			return err
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
			f.addFault("lost: " + id)
		}
	}
	return nil
}

func (f *readBackResult) compare(got telemetryapi.Reading, expected map[string]telemetryapi.Reading,
	seen map[string]bool) {
	f.read++
	want, ours := expected[got.BatchID]
	switch {
	case !ours && !isMoved(got):
		f.unexpected++
		return // of any number
	case seen[got.BatchID]:
		f.duplicated++
		f.addFault("found twice: " + got.BatchID)
	case !equalReadings(got, want):
		f.changed++
		f.addFault("changed: " + got.BatchID)
	default:
		f.matched++
	}
	seen[got.BatchID] = true
}

// isMoved reports whether a reading has another time than its batch id. Such a reading is expected in another slice, if
// at all, and is not of an earlier run.
func isMoved(r telemetryapi.Reading) bool {
	return strings.HasPrefix(r.BatchID, r.HardwareID+"_"+r.BootID+"_") &&
		!strings.HasSuffix(r.BatchID, "_"+strconv.FormatInt(r.TimestampMS, 10))
}

func (f *readBackResult) addFault(text string) {
	if len(f.faults) < sim.MaxFaults {
		f.faults = append(f.faults, text)
	}
}

func equalReadings(a, b telemetryapi.Reading) bool {
	return a.HardwareID == b.HardwareID && a.BootID == b.BootID && a.FirmwareVersion == b.FirmwareVersion &&
		a.TimestampMS == b.TimestampMS && maps.Equal(a.Sensors, b.Sensors) && maps.Equal(a.SensorStatus, b.SensorStatus)
}
