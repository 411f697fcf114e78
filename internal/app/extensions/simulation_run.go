package extensions

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/simulators/fleet"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// simulationRun is a simulation that the console has started. It is safe for concurrent use.
type simulationRun struct {
	id      string
	request simulationRequest
	job     *job
	output  outputText

	mu     sync.Mutex
	fleet  *fleet.Counters // the last ones; nil: none, or another simulation
	people *sim.Progress   // the last one of a simulation of people
	points history[simulationPoint]
}

// fleetName is the simulation whose progress is that of a fleet; that of all others is a sim.Progress.
const fleetName = "fleet"

// simulationPoint is a point of a simulation's history. Those of the devices are 0 in a simulation of people.
type simulationPoint struct {
	fleetPoint
	ResponsesLost int64 `json:"responses_lost"`
}

// add records a line of progress. It ignores other lines, such as those of a log.
func (s *simulationRun) add(line []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.request.Simulation == fleetName {
		var c fleet.Counters
		if json.Unmarshal(line, &c) == nil && c.Devices > 0 {
			s.fleet = &c
			s.points.add(c.At, simulationPoint{fleetPoint: pointOf(c)})
		}
		return
	}
	var p sim.Progress
	if json.Unmarshal(line, &p) == nil && p.Simulation != "" {
		s.people = &p
		s.points.add(p.At, simulationPoint{fleetPoint{At: p.At, RequestsPerSec: p.RequestsPerSec, Errors: p.Errors},
			p.ResponsesLost})
	}
}

// simulationView is a run as the page shows it.
type simulationView struct {
	ID      string            `json:"id"`
	Request simulationRequest `json:"request"`
	Started time.Time         `json:"started"`
	State   jobState          `json:"state"`
	Message string            `json:"message,omitempty"` // what the child has said last; empty: nothing
	Fleet   *fleet.Counters   `json:"fleet,omitempty"`   // the last counters of a fleet, if there are some
	People  *sim.Progress     `json:"people,omitempty"`  // those of another simulation
	History []simulationPoint `json:"history,omitempty"`
	Result  string            `json:"result"`            // what the command has printed; empty: nothing yet
	Verdict string            `json:"verdict,omitempty"` // PASS or FAIL, as printed; empty: it was not reached
}

// view returns the run.
func (s *simulationRun) view() simulationView {
	state, message := s.job.status()
	v := simulationView{ID: s.id, Request: s.request, Started: s.job.started, State: state, Message: message,
		Result: s.output.String()}
	v.Verdict = verdictIn(v.Result)
	s.mu.Lock()
	defer s.mu.Unlock()
	v.Fleet, v.People, v.History = s.fleet, s.people, s.points.list()
	return v
}

// verdictIn returns the verdict at the beginning of the last line of a result, or "" if there is none.
func verdictIn(result string) string {
	result = strings.TrimSpace(result)
	verdict, _, _ := strings.Cut(result[strings.LastIndex(result, "\n")+1:], ":")
	if verdict == "PASS" || verdict == "FAIL" {
		return verdict
	}
	return ""
}

// currentSimulation returns the latest simulation that the console has started, or null.
func (x *Extensions) currentSimulation(*http.Request) (any, error) {
	if run := x.simulation.Load(); run != nil {
		return run.view(), nil
	}
	return nil, nil
}

// maxOutput is how many bytes of a child's output are kept, the first.
const maxOutput = 64 << 10

// outputText is the output of a child. It is safe for concurrent use.
type outputText struct {
	mu   sync.Mutex
	text []byte
}

// Write implements io.Writer. It returns no error.
func (o *outputText) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.text = append(o.text, p[:min(len(p), maxOutput-len(o.text))]...)
	return len(p), nil
}

func (o *outputText) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return string(o.text)
}

// simulationRunsFolder is the folder of the simulations that the console has started, in the folder of all reports.
const simulationRunsFolder = "console-simulations"

// savedSimulations is the folder of the simulations that the console has started. They are saved without history.
type savedSimulations struct{ savedRuns }

func (x *Extensions) savedSimulations() savedSimulations {
	return savedSimulations{savedRuns(filepath.Join(x.cfg.Reports, simulationRunsFolder))}
}

// save saves a simulation that has ended, and removes the oldest ones.
func (s savedSimulations) save(run *simulationRun, state jobState) error {
	v := run.view()
	v.State, v.History = state, nil
	return s.write(run.id, v, func(string) error { return nil })
}

// list returns the saved simulations, newest first. It leaves out those that cannot be read.
func (s savedSimulations) list() ([]simulationView, error) {
	return listSaved[simulationView](s.savedRuns)
}
