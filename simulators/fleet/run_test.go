package fleet_test

import (
	"context"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tabletop-db/tabletop/simulators/fleet"
	"github.com/tabletop-db/tabletop/simulators/telemetryapi"
	"github.com/tabletop-db/tabletop/simulators/telemetryapi/telemetrytest"
)

// sixHourConfig returns the configuration of four devices that live through six hours of many failures without waiting.
func sixHourConfig(b *telemetrytest.Backend) fleet.Config {
	cfg := oneDayConfig(b)
	cfg.Devices, cfg.Duration = 4, 6*time.Hour
	return cfg
}

// oneDayConfig returns the configuration of eight devices that live through a day of many failures.
func oneDayConfig(b *telemetrytest.Backend) fleet.Config {
	return fleet.Config{
		BaseURL: b.URL, AdminToken: telemetrytest.AdminToken, Devices: 8, Seed: 7, Speed: math.Inf(1),
		Duration: 24 * time.Hour,
		Start:    time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), RetryTimeout: time.Nanosecond,
		FailureRates: &fleet.FailureRates{Outage: 0.8, Reboot: 0.8, Crash: 0.5, Update: 0.3, ResponseLoss: 0.1, BadClock: 0.5,
			SensorFault: 0.1,
			MaxOutage:   11 * time.Hour},
	}
}

func TestRunLosesNothing(t *testing.T) {
	t.Parallel()
	b := telemetrytest.Start(t)
	res, err := fleet.Run(t.Context(), oneDayConfig(b))
	if err != nil {
		t.Fatal(err)
	}
	if err := res.Err(); err != nil {
		t.Error(err)
	}
	if res.Sent != res.Stored+res.Duplicate || res.Made != res.Stored || res.Made != res.Matched {
		t.Errorf("the counts do not add up: %+v", res)
	}
	for what, n := range map[string]int64{"made": res.Made, "duplicates": res.Duplicate, "outages": res.Outages,
		"crashes": res.Crashes, "lost responses": res.ResponsesLost, "reboots": res.Reboots - 8} {
		if n <= 0 {
			t.Errorf("a day of failures has no %s", what)
		}
	}
	if n := b.Keys(); n != 0 {
		t.Errorf("%d keys are left behind", n)
	}
}

func TestRunIsRepeatable(t *testing.T) {
	t.Parallel()
	var results [2]fleet.Result
	for i := range results {
		res, err := fleet.Run(t.Context(), sixHourConfig(telemetrytest.Start(t)))
		if err != nil {
			t.Fatal(err)
		}
		res.WallSeconds = 0
		results[i] = res
	}
	if diff := cmp.Diff(results[0], results[1]); diff != "" {
		t.Error(diff)
	}
}

func TestRunFindsFaults(t *testing.T) {
	t.Parallel()
	isTenth := func(r telemetryapi.Reading) bool { return r.TimestampMS/300_000%10 == 0 } // one of ten
	for name, test := range map[string]struct {
		fault func(*telemetrytest.Backend)
		count func(fleet.Result) int64
	}{
		"lost": {
			func(b *telemetrytest.Backend) {
				b.ShouldStore = func(r telemetryapi.Reading) bool { return !isTenth(r) }
			},
			func(r fleet.Result) int64 { return r.Lost },
		},
		"stored twice": {
			func(b *telemetrytest.Backend) { b.StoreDuplicate = func(telemetryapi.Reading) bool { return true } },
			func(r fleet.Result) int64 { return r.StoredTwice },
		},
		"changed": {
			func(b *telemetrytest.Backend) {
				b.Modify = func(r *telemetryapi.Reading) {
					if isTenth(*r) {
						r.Sensors = map[string]float64{"humidity_pct": -1}
					}
				}
			},
			func(r fleet.Result) int64 { return r.Changed },
		},
		"rejected": {
			func(b *telemetrytest.Backend) {
				b.RejectReason = func(r telemetryapi.Reading) string { return map[bool]string{true: "on principle"}[isTenth(r)] }
			},
			func(r fleet.Result) int64 { return r.Rejected },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := telemetrytest.Start(t)
			test.fault(b)
			res, err := fleet.Run(t.Context(), sixHourConfig(b))
			if err != nil {
				t.Fatal(err)
			}
			if test.count(res) == 0 || res.Err() == nil || !strings.Contains(strings.Join(res.Faults, "\n"), name) {
				t.Errorf("not found out: %v %q", res.Err(), res.Faults)
			}
		})
	}
}

// Readings are read back in slices, so that a run of any length takes little memory. A reading that the backend moved
// to another slice is found out.
func TestReadingBackInSlices(t *testing.T) {
	t.Parallel()
	b := telemetrytest.Start(t)
	cfg := oneDayConfig(b)
	cfg.Devices, cfg.Interval, cfg.FailureRates.BadClock = 1, 10*time.Second, 1
	stored := 0
	b.Modify = func(r *telemetryapi.Reading) {
		if stored++; stored == 100 {
			r.TimestampMS += (8 * time.Hour).Milliseconds()
		}
	}
	var slices []string
	b.FailStatus = func(r *http.Request) int {
		q := r.URL.Query()
		from, _ := strconv.ParseInt(q.Get("from"), 10, 64)
		to, _ := strconv.ParseInt(q.Get("to"), 10, 64)
		if q.Has("from") && q.Get("cursor") == "" {
			slices = append(slices, time.Duration((to-from+1)*int64(time.Millisecond)).String())
		}
		return 0
	}
	res, err := fleet.Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	const slice = "5h33m20s" // of 2000 readings
	if diff := cmp.Diff([]string{slice, slice, slice, slice, "3h46m40.001s"}, slices); diff != "" {
		t.Error(diff)
	}
	if res.Made < 8000 || res.Matched != res.Made-1 || res.Changed != 1 || res.Lost != 1 || res.Unexpected != 0 {
		t.Errorf("one of %d readings was moved: %+v", res.Made, res)
	}
}

func TestRunErrors(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(*fleet.Config, *telemetrytest.Backend)
		want   string
	}{
		"no address": {func(c *fleet.Config, _ *telemetrytest.Backend) {
			c.BaseURL = "localhost"
		}, "is not a URL"},
		"other scheme": {func(c *fleet.Config, _ *telemetrytest.Backend) {
			c.BaseURL = "ftp://localhost"
		}, "is not a URL"},
		"no credential": {func(c *fleet.Config, _ *telemetrytest.Backend) { c.AdminToken = "" }, "no credential"},
		"wrong token": {func(c *fleet.Config, _ *telemetrytest.Backend) {
			c.AdminToken = "guess"
		}, "rejects the credential"},
		"wrong key": {func(c *fleet.Config, _ *telemetrytest.Backend) { c.APIKey = "guess" }, "rejects the credential"},
		"too many":  {func(c *fleet.Config, _ *telemetrytest.Backend) { c.Devices = 10_001 }, "use 1 to 10000"},
		"too long": {func(c *fleet.Config, _ *telemetrytest.Backend) {
			c.Duration = 61 * 24 * time.Hour
		}, "at most 1440h"},
		"no end": {func(c *fleet.Config, _ *telemetrytest.Backend) { c.Duration = 0 }, "requires --duration"},
		"nobody there": {func(c *fleet.Config, _ *telemetrytest.Backend) {
			c.BaseURL = "http://127.0.0.1:1"
		}, "is it running?"},
		"down": {func(_ *fleet.Config, b *telemetrytest.Backend) {
			b.FailStatus = func(*http.Request) int { return http.StatusServiceUnavailable }
		}, "is it running?"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := telemetrytest.Start(t)
			cfg := sixHourConfig(b)
			test.change(&cfg, b)
			_, err := fleet.Run(t.Context(), cfg)
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got %v, want %q in one line", err, test.want)
			}
		})
	}
}

// Requests to a backend that fails from time to time are retried, and nothing is lost.
func TestTransientFailuresAreRetried(t *testing.T) {
	t.Parallel()
	b := telemetrytest.Start(t)
	n := 0
	b.FailStatus = func(*http.Request) int {
		if n++; n%50 == 0 {
			return http.StatusTooManyRequests
		}
		return 0
	}
	cfg := sixHourConfig(b)
	cfg.Devices, cfg.Duration, cfg.RetryTimeout = 3, 4*time.Hour, time.Minute
	res, err := fleet.Run(t.Context(), cfg)
	if err != nil || res.Err() != nil || res.Errors == 0 {
		t.Errorf("%v, %v, %d errors", err, res.Err(), res.Errors)
	}
}

// A run in real time ends with its context and reports that it was interrupted.
func TestRunUntilInterrupted(t *testing.T) {
	t.Parallel()
	b := telemetrytest.Start(t)
	cfg := sixHourConfig(b)
	cfg.Speed, cfg.Duration, cfg.Start, cfg.ProgressInterval = 3600, 0, time.Time{}, time.Millisecond
	ctx, cancel := context.WithCancel(t.Context())
	cfg.Progress = func(c fleet.Counters) {
		if c.Stored > 10 {
			cancel()
		}
	}
	res, err := fleet.Run(ctx, cfg)
	if err != context.Canceled || res.Err() == nil || res.Stored == 0 {
		t.Errorf("got %v, %v, %d stored", err, res.Err(), res.Stored)
	}
}

// A stopped run delivers what it has and is reconciled like any other.
func TestRunUntilStopped(t *testing.T) {
	t.Parallel()
	b := telemetrytest.Start(t)
	cfg := sixHourConfig(b)
	stop := make(chan struct{})
	enough := sync.OnceFunc(func() { close(stop) })
	cfg.Speed, cfg.Duration, cfg.Start, cfg.ProgressInterval, cfg.Stop = 3600, 0, time.Time{}, time.Millisecond, stop
	cfg.Progress = func(c fleet.Counters) {
		if c.Stored > 10 {
			enough()
		}
	}
	res, err := fleet.Run(t.Context(), cfg)
	if err != nil || res.Err() != nil || res.Matched != res.Made || res.Made == 0 || res.Undelivered != 0 {
		t.Errorf("got %v, %v, %+v", err, res.Err(), res)
	}
}
