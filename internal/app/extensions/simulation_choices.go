package extensions

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// Simulation is a simulation that the console can start: a subcommand of tabletop simulate.
type Simulation struct {
	Name       string      // of the subcommand, such as phones
	Title      string      // what it does, in one line
	Parameters []Parameter // flags that are numbers and durations
	Gateway    bool        // it has the flag --gateway, for the push gateway of a running backend

	// Check returns the error with which the subcommand would refuse these flags, before it does anything.
	Check func(args []string) error
}

// Parameter is a flag of a simulation.
type Parameter struct {
	Name    string `json:"name"` // without dashes
	Usage   string `json:"usage"`
	Type    string `json:"type"` // of the value, as pflag names it: int, uint64, float64 or duration
	Default string `json:"default"`
}

// Backend is the running backend of the command, which simulations can use.
type Backend struct {
	URL        string
	AdminToken string
	Gateway    string // URL of its push gateway
}

// SetBackend sets the running backend.
func (x *Extensions) SetBackend(b Backend) { x.backend.Store(&b) }

// runningBackend returns the backend. Errors: it has not started yet.
func (x *Extensions) runningBackend() (Backend, error) {
	if b := x.backend.Load(); b != nil {
		return *b, nil
	}
	return Backend{}, &problem{http.StatusServiceUnavailable, errors.New("the backend is starting: try again")}
}

// Where a simulation can run. A browser chooses one.
const (
	separateBackend = "separate" // on an emulator and a backend of its own, whose clock it controls
	thisBackend     = "backend"  // on the command's backend, at its pace
	thisClock       = "clock"    // on the command's backend, whose clock it advances
)

// simulationTargets are all targets, the first of which that a simulation has is the default.
var simulationTargets = []string{separateBackend, thisBackend, thisClock}

// flags returns the flags that make a simulation run on a target.
func (s Simulation) flags(target string, b Backend, e Emulator) []string {
	if target == separateBackend {
		return nil
	}
	args := []string{"--backend=" + b.URL}
	if s.Gateway {
		args = append(args, "--gateway="+b.Gateway)
	}
	if target == thisClock {
		args = append(args, "--emulator="+e.DynamoDBURL)
	}
	return args
}

// check returns the error with which the command would refuse these values on a target. It gets the admin token as
// the child gets it from the environment.
func (s Simulation) check(target string, b Backend, e Emulator, values []string) error {
	args := append(s.flags(target, b, e), values...)
	if target != separateBackend {
		args = append(args, "--admin-token="+b.AdminToken)
	}
	return s.Check(args)
}

// paced is the parameter that a simulation has only where it does not control the clock.
const paced = "speed"

// has reports whether a parameter can be set on a target.
func (p Parameter) has(target string) bool { return p.Name != paced || target == thisBackend }

// simulationChoice is a simulation that can be started.
type simulationChoice struct {
	Name    string             `json:"name"`
	Title   string             `json:"title"`
	Targets []simulationTarget `json:"targets"` // the first is the default
}

// simulationTarget is where a simulation can run.
type simulationTarget struct {
	ID         string      `json:"id"`
	Parameters []Parameter `json:"parameters"`
}

// choice returns the simulation with its targets: those on which its command accepts the defaults with a seed.
func (s Simulation) choice(b Backend, e Emulator, seed string) simulationChoice {
	c := simulationChoice{Name: s.Name, Title: s.Title, Targets: []simulationTarget{}}
	for _, id := range simulationTargets {
		if s.check(id, b, e, []string{"--seed=" + seed}) != nil {
			continue
		}
		t := simulationTarget{ID: id}
		for _, p := range s.Parameters {
			if p.has(id) {
				t.Parameters = append(t.Parameters, p)
			}
		}
		c.Targets = append(c.Targets, t)
	}
	return c
}

// simulationChoices is what can be started.
type simulationChoices struct {
	Simulations []simulationChoice `json:"simulations"`
	Backend     string             `json:"backend"` // its URL
	// UnusedSeed is a seed that no earlier run has used: on a backend that keeps its data, the same seed would make the
	// same people again.
	UnusedSeed string `json:"unusedSeed"`
}

func (x *Extensions) simulationChoices(*http.Request) (any, error) {
	b, err := x.runningBackend()
	if err != nil {
		return nil, err
	}
	e, err := x.running()
	if err != nil {
		return nil, err
	}
	choices := simulationChoices{Backend: b.URL, UnusedSeed: strconv.FormatInt(time.Now().Unix(), 10)}
	for _, s := range x.cfg.Simulations {
		choices.Simulations = append(choices.Simulations, s.choice(b, e, choices.UnusedSeed))
	}
	return choices, nil
}

// simulationOf returns a simulation. Errors: there is none with this name.
func (x *Extensions) simulationOf(name string) (Simulation, error) {
	i := slices.IndexFunc(x.cfg.Simulations, func(s Simulation) bool { return s.Name == name })
	if i < 0 {
		return Simulation{}, invalid("there is no simulation %q: choose one of the list", name)
	}
	return x.cfg.Simulations[i], nil
}
