package extensions

import (
	"net/http"
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/simulators/fleet"
)

const (
	// historyStep is the time between two points of the history, and maxHistory is how many are kept.
	historyStep = time.Second
	maxHistory  = 600
)

// simulations is what the simulators of a command report. It is safe for concurrent use.
type simulations struct {
	mu      sync.Mutex
	fleet   *fleetView // nil: it has not begun
	history []fleetPoint
}

// fleetView is the fleet of simulated devices.
type fleetView struct {
	fleet.Counters
	Seed     uint64        `json:"seed"`
	Speed    float64       `json:"speed"`       // simulated seconds per second; 0: without pauses
	Interval time.Duration `json:"interval_ns"` // between two readings of a device, simulated
}

// fleetPoint is a point of the fleet's history.
type fleetPoint struct {
	At             time.Time `json:"at"`
	RequestsPerSec float64   `json:"requests_per_second"`
	Online         int       `json:"online"`
	Offline        int       `json:"offline"`
	Buffered       int       `json:"buffered"`
	Stored         int64     `json:"stored"`
	Errors         int64     `json:"errors"`
}

// ReportFleet returns a Progress function for a fleet with this configuration.
func (x *Extensions) ReportFleet(cfg fleet.Config) func(fleet.Counters) {
	speed := cfg.Speed
	if speed > 1e9 {
		speed = 0 // JSON has no infinity
	}
	return func(c fleet.Counters) {
		x.simulations.set(&fleetView{Counters: c, Seed: cfg.Seed, Speed: speed, Interval: cfg.Interval})
	}
}

// set records the counters, and a point of the history if the last one is old enough.
func (s *simulations) set(f *fleetView) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fleet = f
	if n := len(s.history); n > 0 && f.At.Sub(s.history[n-1].At) < historyStep {
		return
	}
	if len(s.history) == maxHistory {
		s.history = s.history[:copy(s.history, s.history[1:])]
	}
	s.history = append(s.history, fleetPoint{f.At, f.RequestsPerSec, f.Online, f.Offline, f.Buffered, f.Stored, f.Errors})
}

// simulationsView is what the page shows.
type simulationsView struct {
	Fleet   *fleetView   `json:"fleet"` // null: it has not begun
	History []fleetPoint `json:"history"`
}

// simulationsHandler returns the API of the console's page about simulations.
func (x *Extensions) simulationsHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", respond(func(*http.Request) (any, error) { return x.simulations.view(), nil }))
	return mux
}

func (s *simulations) view() simulationsView {
	s.mu.Lock()
	defer s.mu.Unlock()
	return simulationsView{s.fleet, append([]fleetPoint{}, s.history...)}
}
