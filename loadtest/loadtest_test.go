package loadtest_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/loadtest"
	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
	"github.com/tabletop-db/tabletop/simulators/telemetryapi"
	"github.com/tabletop-db/tabletop/simulators/telemetryapi/telemetrytest"
)

// attack runs a small profile against a fake backend.
func attack(t *testing.T, b *telemetrytest.Backend, change func(*profile.Profile)) *result.Report {
	t.Helper()
	none := 0.0
	p := profile.Profile{
		ID: "TL-L9", System: "telemetry", Title: "small", Figure: "none", Population: profile.Population{"devices": 20,
			"keys": 4, "readings": 1},
		Stages: []profile.Stage{{Rate: 500, Duration: profile.Duration(200 * time.Millisecond)}},
		Mix: []profile.Part{{Request: "ingest", Weight: 3, Batch: profile.Range{Min: 1, Max: 5}},
			{Request: "repeat", Weight: 1},
			{Request: "latest", Weight: 1}, {Request: "range", Weight: 1}, {Request: "devices", Weight: 1},
			{Request: "device", Weight: 1}, {Request: "key", Weight: 1}, {Request: "register", Weight: 1}},
		Limits: []profile.Limit{{ID: "TL-L9", Metric: "error_share", AtMost: &none},
			{ID: "TL-L9", Metric: "rejected_readings", AtMost: &none}},
	}
	if change != nil {
		change(&p)
	}
	r, err := loadtest.Run(t.Context(), loadtest.Config{Profile: p, BaseURL: b.URL, AdminToken: telemetrytest.AdminToken,
		Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRun(t *testing.T) {
	t.Parallel()
	b := telemetrytest.Start(t)
	r := attack(t, b, nil)
	if r.Failed() != nil || r.Requests != 100 || r.Errors != 0 || r.Readings.Stored == 0 || r.Readings.Duplicate == 0 {
		t.Errorf("%d requests, %v, readings %+v, verdicts %+v", r.Requests, r.ErrorTexts, r.Readings, r.Verdicts)
	}
	shares := map[string]int64{"ingest": 30, "repeat": 10, "latest": 10, "range": 10, "devices": 10, "device": 10,
		"key": 10, "register": 10}
	for _, k := range r.Kinds {
		if k.Requests != shares[k.Request] {
			t.Errorf("%d requests of %s, want %d", k.Requests, k.Request, shares[k.Request])
		}
	}
	if r.Keys.HottestShare != 0.25 || r.Latency.P50 <= 0 || r.Latency.Max < r.Latency.P99 {
		t.Errorf("keys %+v, latency %+v", r.Keys, r.Latency)
	}
	if n := b.Keys(); n != 0 {
		t.Errorf("%d keys are left behind", n)
	}
}

func TestRunFails(t *testing.T) {
	t.Parallel()
	none := 0.0
	for name, test := range map[string]struct {
		fault  func(*telemetrytest.Backend)
		metric string
		remark string
	}{
		"errors": {func(b *telemetrytest.Backend) {
			b.FailStatus = func(r *http.Request) int {
				return map[bool]int{true: http.StatusServiceUnavailable}[strings.HasSuffix(r.URL.Path, "/latest")]
			}
		}, "error_share", "503 Service Unavailable: injected failure"},
		"rejections": {func(b *telemetrytest.Backend) {
			n := 0
			b.RejectReason = func(telemetryapi.Reading) string {
				n++
				return map[bool]string{true: "no more"}[n > 20]
			}
		}, "rejected_readings", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := telemetrytest.Start(t)
			test.fault(b)
			r := attack(t, b, func(p *profile.Profile) {
				p.Limits = []profile.Limit{{ID: "TL-L9", Metric: test.metric, AtMost: &none}}
			})
			if v := r.Verdicts[0]; r.Failed() == nil || v.Remark != test.remark {
				t.Errorf("verdict %+v", v)
			}
		})
	}
}

func TestRunErrors(t *testing.T) {
	t.Parallel()
	profiles, err := loadtest.Find("tl-l1")
	if err != nil {
		t.Fatal(err)
	}
	good := loadtest.Config{Profile: profiles[0], BaseURL: telemetrytest.Start(t).URL,
		AdminToken: telemetrytest.AdminToken}
	for name, test := range map[string]struct {
		change func(*loadtest.Config)
		want   string
	}{
		"address":    {func(c *loadtest.Config) { c.BaseURL = "here" }, "is not a URL"},
		"scheme":     {func(c *loadtest.Config) { c.BaseURL = "ftp://here" }, "is not a URL"},
		"credential": {func(c *loadtest.Config) { c.AdminToken = "" }, "no credential"},
		"token":      {func(c *loadtest.Config) { c.AdminToken = "guess" }, "rejects the admin token"},
		"nobody":     {func(c *loadtest.Config) { c.BaseURL = "http://127.0.0.1:1" }, "is it running?"},
		"scale":      {func(c *loadtest.Config) { c.RateScale = -1 }, "cannot be negative"},
		"profile":    {func(c *loadtest.Config) { c.Profile = profile.Profile{} }, "profile: id"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := good
			test.change(&cfg)
			_, err := loadtest.Run(t.Context(), cfg)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

func TestRunStopsWithItsContext(t *testing.T) {
	t.Parallel()
	b := telemetrytest.Start(t)
	profiles, err := loadtest.Find("TL-L3")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err = loadtest.Run(ctx, loadtest.Config{Profile: profiles[0], BaseURL: b.URL, AdminToken: telemetrytest.AdminToken,
		Progress: func(p loadtest.Progress) {
			if p.Phase == loadtest.Attacking {
				cancel()
			}
		}})
	if err != context.Canceled || b.Keys() != 0 {
		t.Errorf("got %v, %d keys left", err, b.Keys())
	}
}
