package extensions

import (
	"net/http"
	"slices"
	"strings"
	"time"
)

const (
	// simulationLimit is how long a simulation may run.
	simulationLimit = 24 * time.Hour
	// readBackGrace is how long a stopped simulation may take to read everything back. A second stop ends it at once.
	readBackGrace = 10 * time.Minute
)

// simulationRequest is a simulation to start.
type simulationRequest struct {
	Simulation string            `json:"simulation"` // name
	Target     string            `json:"target"`     // separate, backend or clock
	Values     map[string]string `json:"values"`     // of parameters; others have their defaults
}

// startSimulation starts a simulation.
func (x *Extensions) startSimulation(r *http.Request) (any, error) {
	var in simulationRequest
	if err := decode(r, &in); err != nil {
		return nil, err
	}
	what, args, err := x.commandOf(in)
	if err != nil {
		return nil, err
	}
	run := &simulationRun{id: newRunID(), request: in}
	what.line, what.out, what.args = run.add, &run.output, args
	if err := x.startSaved(what, &run.job, func(state jobState) error {
		return x.savedSimulations().save(run, state)
	}); err != nil {
		return nil, err
	}
	x.simulation.Store(run)
	return run.view(), nil
}

// commandOf returns the command line of a simulation, and the environment and the limits of its child. Errors: its
// command would refuse it.
func (x *Extensions) commandOf(in simulationRequest) (what spec, args []string, err error) {
	s, err := x.simulationOf(in.Simulation)
	if err != nil {
		return spec{}, nil, err
	}
	if !slices.Contains(simulationTargets, in.Target) {
		return spec{}, nil, invalid("there is no target %q: choose one of the list", in.Target)
	}
	b, err := x.runningBackend()
	if err != nil {
		return spec{}, nil, err
	}
	e, err := x.running()
	if err != nil {
		return spec{}, nil, err
	}
	values, err := s.valueFlags(in)
	if err != nil {
		return spec{}, nil, err
	}
	if err := s.check(in.Target, b, e, values); err != nil {
		return spec{}, nil, s.refusal(err)
	}
	what = spec{limit: simulationLimit, grace: readBackGrace}
	if in.Target != separateBackend {
		what.env = []string{"TABLETOP_ADMIN_TOKEN=" + b.AdminToken} // other users of the machine see arguments
	}
	args = append([]string{"simulate", s.Name, "--progress=json"}, s.flags(in.Target, b, e)...)
	return what, append(args, values...), nil
}

// valueFlags returns the flags of the values of a request.
func (s Simulation) valueFlags(in simulationRequest) (args []string, err error) {
	for name := range in.Values {
		if !slices.ContainsFunc(s.Parameters, func(p Parameter) bool { return p.Name == name && p.has(in.Target) }) {
			return nil, invalid("%s has no parameter %q on the target %s: choose one of the list", s.Name, name, in.Target)
		}
	}
	for _, p := range s.Parameters {
		if value, ok := in.Values[p.Name]; ok {
			args = append(args, "--"+p.Name+"="+value)
		}
	}
	return args, nil
}

// refusal returns the error of values that the command refuses, with the parameter that the error names.
func (s Simulation) refusal(err error) error {
	for _, word := range strings.Fields(err.Error()) {
		flag := strings.Trim(word, `",:`)
		if slices.ContainsFunc(s.Parameters, func(p Parameter) bool { return "--"+p.Name == flag }) {
			return &invalidField{flag[len("--"):], err}
		}
	}
	return invalid("%v", err)
}

// stopSimulation asks the simulation to stop, if one runs: it then reads everything back. If it is doing so already, it
// ends at once.
func (x *Extensions) stopSimulation(*http.Request) (any, error) {
	run := x.simulation.Load()
	if run == nil {
		return nil, missing("no simulation was started here")
	}
	run.job.stop()
	return run.view(), nil
}
