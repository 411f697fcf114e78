package extensions

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/features/report"
	"github.com/tabletop-db/tabletop/features/runner"
)

const (
	// specsLimit is how long a run of scenarios may take.
	specsLimit = time.Hour
	// maxTraces is how many bytes of traces are kept of a run; later scenarios are without one.
	maxTraces = 128 << 20
)

// specsRun is a run of scenarios that the console has started. It is safe for concurrent use.
type specsRun struct {
	id      string
	request specsRequest
	job     *job

	mu       sync.Mutex
	progress runner.Progress // the last one, without its scenario
	done     []report.Scenario
	traces   int // bytes of the traces in done
}

// startSpecs starts a run of scenarios.
func (x *Extensions) startSpecs(r *http.Request) (any, error) {
	var in specsRequest
	if err := decode(r, &in); err != nil {
		return nil, err
	}
	args := []string{"features", "--report", filepath.Join(x.cfg.Reports, featuresFolder), "--progress", "json",
		"--target", embeddedTarget}
	selected, err := x.selection(in)
	if err != nil {
		return nil, err
	}
	run := &specsRun{id: newRunID(), request: in}
	what := spec{args: append(args, selected...), limit: specsLimit, line: run.add}
	if err := x.startSaved(what, &run.job, func(state jobState) error {
		return x.savedSpecs().save(run, state)
	}); err != nil {
		return nil, err
	}
	x.specs.Store(run)
	return run.view(0), nil
}

// add records a scenario that has ended. It ignores other lines, such as those of a log.
func (s *specsRun) add(line []byte) {
	var p runner.Progress
	if json.Unmarshal(line, &p) != nil || p.Total == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.traces += len(line); s.traces > maxTraces {
		p.Scenario.TraceDropped += len(p.Scenario.Trace)
		p.Scenario.Trace = nil
	}
	s.done = append(s.done, p.Scenario)
	p.Scenario = report.Scenario{}
	s.progress = p
}

// specsRunView is a run as the page shows it.
type specsRunView struct {
	ID        string        `json:"id"`
	Request   specsRequest  `json:"request"`
	Started   time.Time     `json:"started"`
	State     jobState      `json:"state"`
	Message   string        `json:"message,omitempty"` // what the child has said last; empty: nothing
	Done      int           `json:"done"`              // scenarios
	Failed    int           `json:"failed"`
	Total     int           `json:"total"`     // 0: not known yet
	Scenarios []ranScenario `json:"scenarios"` // those that have ended since the page asked
}

// ranScenario is a scenario that has ended, as the list shows it.
type ranScenario struct {
	Number  int            `json:"number"` // in the order of their ends, from 0
	Name    string         `json:"name"`
	System  string         `json:"system"`
	IDs     []string       `json:"ids"`
	Outcome report.Outcome `json:"outcome"`
	Reason  string         `json:"reason,omitempty"`
	Elapsed time.Duration  `json:"elapsed_ns"`
	Traced  int            `json:"traced"` // number of requests in its trace
}

// view returns the run with the scenarios after the first ones.
func (s *specsRun) view(after int) specsRunView {
	state, message := s.job.status()
	s.mu.Lock()
	defer s.mu.Unlock()
	v := specsRunView{ID: s.id, Request: s.request, Started: s.job.started, State: state, Message: message,
		Done: s.progress.Done, Failed: s.progress.Failed, Total: s.progress.Total, Scenarios: []ranScenario{}}
	for i := max(after, 0); i < len(s.done); i++ {
		d := s.done[i]
		v.Scenarios = append(v.Scenarios, ranScenario{i, d.Name, d.System, slices.Clone(d.IDs), d.Outcome, d.Reason,
			d.Elapsed, len(d.Trace)})
	}
	return v
}

// currentSpecs returns the latest run that the console has started, or null. after is how many scenarios the page has.
func (x *Extensions) currentSpecs(r *http.Request) (any, error) {
	run := x.specs.Load()
	if run == nil {
		return nil, nil
	}
	after, _ := strconv.Atoi(r.URL.Query().Get("after")) // 0: all
	return run.view(after), nil
}

// specsRunOf returns a run: the latest, or a saved one.
func (x *Extensions) specsRunOf(r *http.Request) (any, error) {
	id := r.PathValue("id")
	if run := x.specs.Load(); run != nil && run.id == id {
		return run.view(0), nil
	}
	return x.savedSpecs().read(id)
}

// ranScenario returns a scenario of a run with its steps and its trace.
func (x *Extensions) ranScenario(r *http.Request) (any, error) {
	number, err := strconv.Atoi(r.PathValue("number"))
	if err != nil {
		return nil, missing("a scenario of a run has a number, not %q", r.PathValue("number"))
	}
	all, err := x.scenariosOf(r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	if number < 0 || number >= len(all) {
		return nil, missing("the run has no scenario %d", number)
	}
	return all[number], nil
}

// stopSpecs asks the run to stop, if one runs.
func (x *Extensions) stopSpecs(*http.Request) (any, error) {
	run := x.specs.Load()
	if run == nil {
		return nil, missing("no scenarios were run here since the emulator has started")
	}
	run.job.cancel(errStopped)
	return run.view(0), nil
}
