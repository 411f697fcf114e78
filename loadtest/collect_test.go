package loadtest

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	vegeta "github.com/tsenart/vegeta/v12/lib"

	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
	"github.com/tabletop-db/tabletop/loadtest/traffic"
	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/telemetryapi"
)

// ack returns the response to a request with one reading.
func ack(t *testing.T, hardwareID, status string) []byte {
	t.Helper()
	a := telemetryapi.Ack{Results: []telemetryapi.Outcome{{BatchID: hardwareID + "_boot_0_1", Status: status}}}
	counts := map[string]*int{telemetryapi.Stored: &a.Stored, telemetryapi.Duplicate: &a.Duplicate,
		telemetryapi.Rejected: &a.Rejected}
	*counts[status] = 1
	b, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// hotDeviceBackend starts a service that reports "hot" as its hot device.
func hotDeviceBackend(t *testing.T) (url string) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"devices": [{"hardware_id": "hot", "writes": 120, "hot": true}]}`)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// TestCollector collects a minute in which one device writes twice a second and ten take turns, one response in ten is
// an error, and the last response arrives two seconds late, of which one is allowed.
func TestCollector(t *testing.T) {
	t.Parallel()
	began := time.Unix(1_700_000_000, 0)
	p := profile.Profile{System: "telemetry", Population: profile.Population{"keys": 1},
		Stages: []profile.Stage{{Rate: 4, Duration: profile.Duration(30 * time.Second)},
			{Rate: 4, Duration: profile.Duration(30 * time.Second)}}}
	fleet, err := traffic.Setup{Profile: p, BaseURL: hotDeviceBackend(t)}.Open()
	if err != nil {
		t.Fatal(err)
	}
	c := newCollector(p, sim.Shard{}, began, fleet.HandleResponse)
	for i := range 120 {
		r := &vegeta.Result{Seq: uint64(2 * i), Code: 200, Timestamp: began.Add(time.Duration(i) * 500 * time.Millisecond),
			Latency: time.Duration(i+1) * time.Millisecond,
			URL:     "http://x/telemetry/readings#ingest", Body: ack(t, "hot", telemetryapi.Stored)}
		c.add(r)
		other := *r
		other.Seq++
		switch i % 10 {
		case 0:
			other.Code, other.Error, other.Body = 503, "503 Service Unavailable", []byte(`{"detail":"busy"}`)
		case 1:
			other.Body = ack(t, "d1", telemetryapi.Duplicate)
		case 2:
			other.URL, other.Body = "http://x/telemetry/devices#devices", []byte(`{}`)
		default:
			other.Body = ack(t, "d"+string(rune('0'+i%10)), telemetryapi.Stored)
		}
		if i == 119 {
			other.Latency = 2500 * time.Millisecond
		}
		c.add(&other)
	}
	m := &Measurements{Profile: p, Requests: c.counts}
	if err := errors.Join(fleet.Observe(t.Context(), &m.System), fleet.Inspect(t.Context(), &m.System)); err != nil {
		t.Fatal(err)
	}
	r, err := m.Report()
	if err != nil {
		t.Fatal(err)
	}
	if r.Requests != 240 || r.Errors != 12 || r.ErrorTexts["503 Service Unavailable: busy"] != 12 || r.Seconds != 62 {
		t.Errorf("%d requests, errors %v, %v s", r.Requests, r.ErrorTexts, r.Seconds)
	}
	if diff := cmp.Diff(result.Outcomes{Stored: 120 + 84, Duplicate: 12}, *r.Readings); diff != "" {
		t.Error(diff)
	}
	if !slices.Equal(r.ReportedHot, []string{"hot"}) || len(r.Hot) != 1 || r.Hot[0].HardwareID != "hot" ||
		r.Hot[0].WritesPerSecond != 2 || r.Hot[0].Shards != 2 || !strings.Contains(r.Hot[0].Advice, "hot#0 to #1") {
		t.Errorf("hot devices: %+v, named %v", r.Hot, r.ReportedHot)
	}
	if s := r.Stages; s[0].Sent != 4 || s[1].Sent != 4 || s[1].ReadingsPerSecond != 102.0/31 || r.Throughput != 228.0/61 {
		t.Errorf("stages: %+v", s)
	}
	if len(r.Series) != 60 || r.Series[0].Sent != 4 || r.Series[59].Max < 2490 || r.Series[0].Errors != 1 {
		t.Errorf("series: %+v", r.Series)
	}
	if k := r.Kinds; len(k) != 2 || k[0].Request != "devices" || k[0].Requests != 12 || k[1].Errors != 12 {
		t.Errorf("kinds: %+v", k)
	}
	if r.Latency.P50 < 60 || r.Latency.P50 > 61 || r.Latency.Max < 2490 || r.Latency.Max > 2510 {
		t.Errorf("latency: %+v", r.Latency)
	}
	if last := r.Spectrum[len(r.Spectrum)-1]; last.Percent != 99.5 {
		t.Errorf("240 requests bear no percentile of %v", last.Percent)
	}
}

// TestWarmUpDoesNotCountForLatency checks that the requests of a warm-up stage count, but not as ones with a latency.
func TestWarmUpDoesNotCountForLatency(t *testing.T) {
	t.Parallel()
	began := time.Unix(1_700_000_000, 0)
	second := profile.Duration(time.Second)
	p := profile.Profile{Stages: []profile.Stage{{Rate: 3, Duration: second, WarmUp: true}, {Rate: 2, Duration: second}}}
	c := newCollector(p, sim.Shard{}, began, func(string, *vegeta.Result, time.Duration) (int64, string) { return 0, "" })
	for i := range uint64(5) {
		c.add(&vegeta.Result{Seq: i, Timestamp: began.Add(2 * time.Second), URL: "http://x/y#read"})
	}
	var r result.Report
	c.report(p, &r)
	if k := r.Kinds[0]; r.Requests != 5 || r.Latency.Count != 2 || k.Requests != 5 || k.Latency.Count != 2 {
		t.Errorf("%+v", r)
	}
}

// TestWrongResponses checks that a response that is wrong although its status is not counts as an error in all figures,
// and only once if reading it failed too.
func TestWrongResponses(t *testing.T) {
	t.Parallel()
	began := time.Unix(1_700_000_000, 0)
	p := profile.Profile{Stages: []profile.Stage{{Rate: 1, Duration: profile.Duration(10 * time.Second)}}}
	c := newCollector(p, sim.Shard{}, began, func(_ string, r *vegeta.Result, _ time.Duration) (int64, string) {
		if string(r.Body) != "good" {
			return 0, "it is not good"
		}
		return 0, ""
	})
	for i, r := range []vegeta.Result{{Body: []byte("good")}, {Body: []byte("bad")}, {Error: "unexpected EOF"}} {
		r.Seq, r.Code, r.URL = uint64(i), 200, "http://x/y#read"
		r.Timestamp = began.Add(time.Duration(i) * time.Second)
		c.add(&r)
	}
	var r result.Report
	c.report(p, &r)
	want := map[string]int64{"it is not good": 1, "unexpected EOF": 1}
	if diff := cmp.Diff(want, r.ErrorTexts); diff != "" {
		t.Error(diff)
	}
	if r.Requests != 3 || r.Errors != 2 || c.Succeeded != 1 || r.Kinds[0].Errors != 2 || r.Series[0].Errors != 0 ||
		r.Series[1].Errors != 1 || r.Series[2].Errors != 1 {
		t.Errorf("%d succeeded: %+v", c.Succeeded, r)
	}
}
