package extensions

import (
	"net/http"
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/simulators/fleet"
)

// simulationsHandler returns the API of the console's page about simulations.
func (x *Extensions) simulationsHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", respond(func(*http.Request) (any, error) { return x.fleet.view(x.cfg.Fleet), nil }))
	mux.HandleFunc("GET /choices", respond(x.simulationChoices))
	mux.HandleFunc("POST /runs", respond(x.startSimulation))
	mux.HandleFunc("GET /current", respond(x.currentSimulation))
	mux.HandleFunc("DELETE /current", respond(x.stopSimulation))
	mux.HandleFunc("GET /runs", respond(func(*http.Request) (any, error) { return x.savedSimulations().list() }))
	return mux
}

const (
	// historyStep is the time between two points of a history, and maxHistory is how many are kept.
	historyStep = time.Second
	maxHistory  = 600
)

// history is the last points of a simulation's progress.
type history[P any] struct {
	points []P
	last   time.Time // of the last point
}

// add adds a point if the last one is old enough.
func (h *history[P]) add(at time.Time, p P) {
	if at.Sub(h.last) < historyStep {
		return
	}
	if len(h.points) == maxHistory {
		h.points = h.points[:copy(h.points, h.points[1:])]
	}
	h.points, h.last = append(h.points, p), at
}

// list returns a copy of the points.
func (h *history[P]) list() []P { return append([]P{}, h.points...) }

// fleetLog is what a fleet of simulated devices reports. It is safe for concurrent use.
type fleetLog struct {
	mu      sync.Mutex
	fleet   *fleetView // nil: it has not begun
	history history[fleetPoint]
}

// fleetView is a fleet of simulated devices.
type fleetView struct {
	fleet.Counters
	Seed     uint64        `json:"seed"`
	Speed    float64       `json:"speed"`       // simulated seconds per second; 0: without pauses
	Interval time.Duration `json:"interval_ns"` // between two readings of a device, simulated
}

// fleetPoint is a point of a fleet's history.
type fleetPoint struct {
	At             time.Time `json:"at"`
	RequestsPerSec float64   `json:"requests_per_second"`
	Online         int       `json:"online"`
	Offline        int       `json:"offline"`
	Buffered       int       `json:"buffered"`
	Stored         int64     `json:"stored"`
	Errors         int64     `json:"errors"`
}

// ReportFleet returns a Progress function for the command's fleet, with this configuration.
func (x *Extensions) ReportFleet(cfg fleet.Config) func(fleet.Counters) {
	speed := cfg.Speed
	if speed > 1e9 {
		speed = 0 // JSON has no infinity
	}
	return func(c fleet.Counters) {
		x.fleet.set(&fleetView{Counters: c, Seed: cfg.Seed, Speed: speed, Interval: cfg.Interval})
	}
}

func pointOf(f fleet.Counters) fleetPoint {
	return fleetPoint{f.At, f.RequestsPerSec, f.Online, f.Offline, f.Buffered, f.Stored, f.Errors}
}

// set records the counters.
func (s *fleetLog) set(f *fleetView) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fleet = f
	s.history.add(f.At, pointOf(f.Counters))
}

// fleetLogView is what the page shows of the command's fleet.
type fleetLogView struct {
	Runs    bool         `json:"runs"`  // the command runs one
	Fleet   *fleetView   `json:"fleet"` // null: it has not begun
	History []fleetPoint `json:"history"`
}

func (s *fleetLog) view(runs bool) fleetLogView {
	s.mu.Lock()
	defer s.mu.Unlock()
	return fleetLogView{runs, s.fleet, s.history.list()}
}
