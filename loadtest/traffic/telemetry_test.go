package traffic

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/loadtest/profile"
)

func testTraffic(seed uint64) (*telemetry, *mix) {
	p := profile.Profile{System: "telemetry", Population: profile.Population{"devices": 10, "keys": 2},
		Stages: []profile.Stage{{Rate: 1, Duration: profile.Duration(time.Second)}}, Mix: []profile.Part{
			{Request: "ingest", Weight: 2, Batch: profile.Range{Min: 1, Max: 100}}, {Request: "repeat", Weight: 1},
			{Request: "register", Weight: 1},
			{Request: "latest", Weight: 1, Only: 3}, {Request: "range", Weight: 1}, {Request: "key", Weight: 1}}}
	t := newTelemetry(Setup{BaseURL: "http://x", Profile: p, Seed: seed}, time.Unix(1_700_000_000, 0))
	t.apiKeys.keys = []string{"k1", "k2"}
	return t, newMix(p.Mix)
}

// TestTrafficIsRepeatable checks that the requests of an attack follow from the seed.
func TestTrafficIsRepeatable(t *testing.T) {
	t.Parallel()
	a, mixA := testTraffic(1)
	b, mixB := testTraffic(1)
	other, mixC := testTraffic(2)
	differs := false
	for range 50 {
		x, errX := prepareNext(t.Context(), a, mixA)
		y, errY := prepareNext(t.Context(), b, mixB)
		z, errZ := prepareNext(t.Context(), other, mixC)
		if errX != nil || errY != nil || errZ != nil || !x.Equal(&y.Target) {
			t.Fatalf("%+v\n%+v", x, y)
		}
		differs = differs || !x.Equal(&z.Target)
	}
	if !differs {
		t.Error("two seeds made the same requests")
	}
}

func TestRequestsUseKeysInTurn(t *testing.T) {
	t.Parallel()
	tr, m := testTraffic(1)
	names := map[string]bool{}
	for _, part := range m.parts {
		names[part.Request] = true
	}
	hot := tr.sources[2].plan.HardwareID
	for i := range 70 {
		s, err := prepareNext(t.Context(), tr, m)
		if err != nil {
			t.Fatal(err)
		}
		u, err := url.Parse(s.URL)
		if _, known := names[u.Fragment]; err != nil || !known {
			t.Errorf("%s has no kind: %v", s.URL, err)
		}
		if u.Fragment == "latest" && !strings.Contains(u.Path, hot) {
			t.Errorf("%s is not about the device that the part names", s.URL)
		}
		if want := []string{"k1", "k2"}[i%2]; s.Header.Get("X-API-Key") != want {
			t.Errorf("request %d presents %s", i, s.Header.Get("X-API-Key"))
		}
	}
}

// BenchmarkPrepareHundredReadings shows that preparing a request of a hundred readings costs far less than serving it.
func BenchmarkPrepareHundredReadings(b *testing.B) {
	p := profile.Profile{System: "telemetry", Population: profile.Population{"devices": 1000, "keys": 1},
		Mix: []profile.Part{{Request: "ingest", Weight: 1, Batch: profile.Range{Min: 100, Max: 100}}}}
	tr := newTelemetry(Setup{BaseURL: "http://x", Profile: p, Seed: 1}, time.Unix(1_700_000_000, 0))
	tr.apiKeys.keys = []string{"k"}
	m := newMix(p.Mix)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := prepareNext(b.Context(), tr, m); err != nil {
			b.Fatal(err)
		}
	}
}
