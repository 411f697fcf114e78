package loadtest

import (
	"net/url"
	"strings"
	"testing"
	"time"
)

func someTraffic(seed uint64) *traffic {
	p := Profile{Population: Population{Devices: 10}, Mix: []Part{
		{Request: "ingest", Weight: 2, Batch: Range{1, 100}}, {Request: "repeat", Weight: 1}, {Request: "register", Weight: 1},
		{Request: "latest", Weight: 1, Device: 3}, {Request: "range", Weight: 1}, {Request: "key", Weight: 1}}}
	return newTraffic("http://x", p, seed, time.Unix(1_700_000_000, 0), []string{"k1", "k2"})
}

// The requests of an attack follow from the seed.
func TestTrafficIsRepeatable(t *testing.T) {
	t.Parallel()
	a, b, other := someTraffic(1), someTraffic(1), someTraffic(2)
	differs := false
	for range 50 {
		x, errX := a.shot()
		y, errY := b.shot()
		z, errZ := other.shot()
		if errX != nil || errY != nil || errZ != nil || !x.Equal(&y.Target) || x.key != y.key {
			t.Fatalf("%+v\n%+v", x, y)
		}
		differs = differs || !x.Equal(&z.Target)
	}
	if !differs {
		t.Error("two seeds made the same requests")
	}
}

func TestTrafficPresentsKeysInTurnAndNamesItsKinds(t *testing.T) {
	t.Parallel()
	tr := someTraffic(1)
	hot := tr.sources[2].plan.HardwareID
	for i := range 70 {
		s, err := tr.shot()
		if err != nil {
			t.Fatal(err)
		}
		u, err := url.Parse(s.URL)
		if err != nil || kinds[u.Fragment].build == nil {
			t.Errorf("%s is of no kind: %v", s.URL, err)
		}
		if u.Fragment == "latest" && !strings.Contains(u.Path, hot) {
			t.Errorf("%s is not about the device that the part names", s.URL)
		}
		if want := []string{"k1", "k2"}[i%2]; s.Header.Get("X-API-Key") != want {
			t.Errorf("request %d presents %s", i, s.Header.Get("X-API-Key"))
		}
	}
}

// Making a request of a hundred readings costs far less than serving it.
func BenchmarkShotOfAHundredReadings(b *testing.B) {
	p := Profile{Population: Population{Devices: 1000}, Mix: []Part{{Request: "ingest", Weight: 1, Batch: Range{100, 100}}}}
	tr := newTraffic("http://x", p, 1, time.Unix(1_700_000_000, 0), []string{"k"})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := tr.shot(); err != nil {
			b.Fatal(err)
		}
	}
}
