package emulator

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo"
	"github.com/tabletop-db/tabletop/emulator/internal/faults"
)

// FaultAction is what a Fault does to a request.
type FaultAction string

// The actions.
const (
	// DoThrottle refuses the request as if its table had no capacity left.
	DoThrottle FaultAction = "throttle"
	// DoInternalError refuses it with InternalServerError, status 500.
	DoInternalError FaultAction = "internal-error"
	// DoUnavailable refuses it with status 503.
	DoUnavailable FaultAction = "unavailable"
	// DoDelay has it wait for Latency before anything is done.
	DoDelay FaultAction = "delay"
	// DoHold has a write of one item, or a transaction, wait for Latency while its items are in use: with the piece
	// Conflicts, requests that meet it there conflict.
	DoHold FaultAction = "hold"
	// DoStale has an eventually consistent read see the state of a second ago, or older where the piece Lag is on.
	// Writes from before the fault was set are seen.
	DoStale FaultAction = "stale"
	// DoCutBeforeCommit closes the connection; nothing is done.
	DoCutBeforeCommit FaultAction = "cut-before-commit"
	// DoCutAfterCommit closes the connection when all is done: the lost answer.
	DoCutAfterCommit FaultAction = "cut-after-commit"
	// DoUnprocessed has members of a batch, Members or Fraction of them, come back undone.
	DoUnprocessed FaultAction = "unprocessed"
)

// Fault makes requests go wrong: those that fit all that it names, as often as it says.
type Fault struct {
	// Name tells the fault from others. Without one it gets one.
	Name string

	// Operations, Tables and Identities are patterns in which * stands for anything; none fit everything. An identity
	// is an access key or, where identities are configured, a user, a role, or an ARN.
	Operations []string
	Tables     []string
	// PartitionKey and SortKey are those of an item that the request names: a string, a number as the service writes
	// it, or binary in base64. A Query of a table names the partition key that it reads.
	PartitionKey string
	SortKey      string
	Identities   []string

	// Do is what happens.
	Do FaultAction
	// Latency is how long the request waits: with DoDelay and DoHold all that happens, with other actions what comes
	// before. With LatencyP99 it is the median, and one request in a hundred waits longer than that, at most ten times
	// as long. The wait is on the emulator's clock, and so lasts until Advance where that stands still; with RealTime
	// on the machine's.
	Latency    time.Duration
	LatencyP99 time.Duration
	RealTime   bool
	// Members is how many members of a batch come back with DoUnprocessed, and Fraction what part of them, rounded up:
	// the last ones of those that the fault is about.
	Members  int
	Fraction float64

	// Probability is the chance that a request goes wrong, from the emulator's seed; 0 is 1.
	Probability float64
	// Of the requests that fit, the first Skip pass; of the rest every Every-th is meant, 0 being 1; and after Times of
	// them the fault is spent, 0 being never.
	Skip  int
	Every int
	Times int
	// From and Until, on the emulator's clock, bound the time in which the fault is awake; For is its length, from From
	// or from when the fault is set. Zero values are no bounds.
	From, Until time.Time
	For         time.Duration
}

// MarshalJSON writes the fault as the admin API and the files of WithFaults have it.
func (f Fault) MarshalJSON() ([]byte, error) { return json.Marshal(faults.DocumentOf(f.rule())) }

// rule is the fault as those see it who carry it out.
func (f Fault) rule() faults.Rule {
	return faults.Rule{
		Name: f.Name, Operations: f.Operations, Tables: f.Tables, PartitionKey: f.PartitionKey, SortKey: f.SortKey, Identities: f.Identities,
		Do: faults.Action(f.Do), Latency: f.Latency, LatencyP99: f.LatencyP99, RealTime: f.RealTime, Members: f.Members, Fraction: f.Fraction,
		Probability: f.Probability, Skip: f.Skip, Every: f.Every, Times: f.Times, From: f.From, Until: f.Until, For: f.For,
	}
}

func faultOf(r faults.Rule) Fault {
	return Fault{
		Name: r.Name, Operations: r.Operations, Tables: r.Tables, PartitionKey: r.PartitionKey, SortKey: r.SortKey, Identities: r.Identities,
		Do: FaultAction(r.Do), Latency: r.Latency, LatencyP99: r.LatencyP99, RealTime: r.RealTime, Members: r.Members, Fraction: r.Fraction,
		Probability: r.Probability, Skip: r.Skip, Every: r.Every, Times: r.Times, From: r.From, Until: r.Until, For: r.For,
	}
}

// Fail has requests go wrong from now on, until remove is called. A fault that says too little, or what cannot be, such
// as one that can happen to none of the operations that it names, is an error; remove is never nil.
func (e *Emulator) Fail(f Fault) (remove func(), err error) {
	name, err := e.faults.Add(f.rule())
	if err != nil {
		return func() {}, fmt.Errorf("the fault cannot be set: %w", err)
	}
	return func() { _ = e.faults.Remove(name) }, nil // it may have been removed otherwise
}

// FaultState is a fault that is set and what came of it.
type FaultState struct {
	Fault
	Matched int // requests that it is about, whether they went wrong or not
	Hits    int // requests that went wrong
	Waiting int // requests that it has wait now
}

// Faults lists the faults that are set, in the order they were set.
func (e *Emulator) Faults() []FaultState {
	states := []FaultState{}
	for _, s := range e.faults.List() {
		states = append(states, FaultState{faultOf(s.Rule), s.Matched, s.Hits, s.Waiting})
	}
	return states
}

// WithFaults sets faults, as Fail does, before the first request. One that cannot be set makes Start fail.
func WithFaults(all ...Fault) Option {
	return func(o *options) { o.faults = append(o.faults, all...) }
}

// ReadFaults reads a file of faults, YAML in the form that docs/faults.md shows. An error is one line that names the
// line of the file and what to do.
func ReadFaults(file string) ([]Fault, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no file %s: name one with faults, see docs/faults.md", file)
	}
	if err != nil {
		return nil, err
	}
	rules, err := faults.Read(file, text)
	if err != nil {
		return nil, err
	}
	all := make([]Fault, len(rules))
	for i, r := range rules {
		all[i] = faultOf(r)
	}
	return all, nil
}

// openFaults sets the faults of the options.
func (e *Emulator) openFaults(o options, keep func() (stop func())) error {
	e.faults = faults.New(e.clock, o.seed, keep, dynamo.FaultScope(), cosmos.FaultScope())
	for _, f := range o.faults {
		if _, err := e.Fail(f); err != nil {
			return err
		}
	}
	return nil
}
