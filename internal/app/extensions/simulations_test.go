package extensions

import (
	"math"
	"net/http"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/simulators/fleet"
	"github.com/tabletop-db/tabletop/simulators/pushgateway"
)

// TestSimulations reports the counters of a fleet for longer than the history is.
func TestSimulations(t *testing.T) {
	t.Parallel()
	x := newExtensions(t)
	view := func() fleetLogView {
		return call[fleetLogView](t, x.simulationsHandler(), http.MethodGet, "/", "", http.StatusOK)
	}
	if got := view(); got.Fleet != nil || len(got.History) != 0 {
		t.Errorf("before the fleet: %+v", got)
	}
	report := x.ReportFleet(fleet.Config{Seed: 7, Speed: math.Inf(1)})
	at := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	for i := range 2 * (maxHistory + 5) { // two reports a second
		report(fleet.Counters{At: at.Add(time.Duration(i) * historyStep / 2), Stored: int64(i), Online: 3})
	}
	got := view()
	last := got.History[len(got.History)-1]
	if len(got.History) != maxHistory || last.Stored != 2*(maxHistory+5)-2 || last.Online != 3 ||
		got.History[0].Stored != 10 {
		t.Errorf("%d points, from %+v to %+v", len(got.History), got.History[0], last)
	}
	if f := got.Fleet; f.Seed != 7 || f.Speed != 0 || f.Stored != 2*(maxHistory+5)-1 {
		t.Errorf("%+v", f)
	}
}

// TestPushes adds a phone and lists it.
func TestPushes(t *testing.T) {
	t.Parallel()
	x := newExtensions(t)
	call[map[string]any](t, x.pushesHandler(), http.MethodGet, "/", "", http.StatusServiceUnavailable)
	x.SetGateway(pushgateway.New(pushgateway.Config{}), "http://127.0.0.1:2")
	call[map[string]any](t, x.pushesHandler(), http.MethodPost, "/phones", `{"platform":"fax"}`,
		http.StatusUnprocessableEntity)
	p := call[pushgateway.Phone](t, x.pushesHandler(), http.MethodPost, "/phones", `{"platform":"ios"}`, http.StatusOK)
	got := call[phonesView](t, x.pushesHandler(), http.MethodGet, "/", "", http.StatusOK)
	if got.Total != 1 || got.Phones[0].ID != p.ID || got.URL != "http://127.0.0.1:2" || got.Phones[0].Last != nil {
		t.Errorf("%+v", got)
	}
	received := call[pushesView](t, x.pushesHandler(), http.MethodGet, "/latest?phone="+p.ID, "", http.StatusOK)
	if received.Deliveries == nil || received.Refusals == nil || len(received.Deliveries) != 0 {
		t.Errorf("%+v", received)
	}
}

// TestExtensionsOfCommands checks which extensions a command has.
func TestExtensionsOfCommands(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		cfg  Config
		want int
	}{{Config{}, 2}, {Config{Simulations: testSimulations()}, 3},
		{Config{Simulations: testSimulations(), Pushes: true}, 4}} {
		c.cfg.Reports = t.TempDir()
		x, err := New(c.cfg)
		if err != nil {
			t.Fatal(err)
		}
		if got := x.List(); len(got) != c.want {
			t.Errorf("%+v: %v", c.cfg, got)
		}
	}
}
