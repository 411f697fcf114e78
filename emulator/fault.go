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

// FaultAction is the effect of a Fault on a request.
type FaultAction string

// The actions of faults.
const (
	// DoThrottle refuses the request as if its table had no capacity left.
	DoThrottle FaultAction = "throttle"
	// DoInternalError refuses the request with InternalServerError, status 500.
	DoInternalError FaultAction = "internal-error"
	// DoUnavailable refuses the request with status 503.
	DoUnavailable FaultAction = "unavailable"
	// DoDelay delays the request by Latency before it does anything.
	DoDelay FaultAction = "delay"
	// DoHold makes a write of one item, or a transaction, wait for Latency while its items are in use. With the piece
	// Conflicts, requests for these items conflict with it.
	DoHold FaultAction = "hold"
	// DoStale makes an eventually consistent read return the state of a second ago, or older with the piece Lag. Writes
	// from before the fault was set are visible.
	DoStale FaultAction = "stale"
	// DoCutBeforeCommit closes the connection before anything is done.
	DoCutBeforeCommit FaultAction = "cut-before-commit"
	// DoCutAfterCommit closes the connection after everything is done: the response is lost.
	DoCutAfterCommit FaultAction = "cut-after-commit"
	// DoUnprocessed returns members of a batch, as many as Members or Fraction says, as unprocessed.
	DoUnprocessed FaultAction = "unprocessed"
	// DoConflict refuses a write of one item, or a transaction, as if another transaction used its items.
	DoConflict FaultAction = "conflict"
	// DoShortPage ends a page of a query, a scan or a feed after one item. The rest is on the next pages.
	DoShortPage FaultAction = "short-page"
	// DoRedeliver makes the token that a read of a stream or a change feed returns lead to the same records again.
	DoRedeliver FaultAction = "redeliver"
	// DoClockJump moves the emulator's clock forward by Latency before anything is done, as if the program had stood
	// still for so long: tokens, iterators and items expire.
	DoClockJump FaultAction = "clock-jump"
	// DoExpiredToken refuses the request as if the caller's temporary credentials had expired. Clients with other
	// credentials never see that.
	DoExpiredToken FaultAction = "expired-token"
	// DoRestart restarts the emulator after everything is done, as kill -9 and a new start on the same data folder do:
	// the response is lost, all other connections end too, and every service starts again from what is committed. The
	// ports stay open: requests that arrive meanwhile wait.
	DoRestart FaultAction = "restart"
)

// FaultActions returns the names of all actions.
func FaultActions() []string {
	var names []string
	for _, a := range faults.Actions() {
		names = append(names, string(a))
	}
	return names
}

// Fault makes requests fail or wait. It applies to requests that match all of its fields, as often as Skip, Every,
// Times and Probability say.
type Fault struct {
	// Name identifies the fault. If it is empty, the fault gets one.
	Name string

	// Operations, Tables and Identities are patterns in which * matches any text; an empty list matches everything. An
	// identity is an access key or, if identities are configured, a user, a role, or an ARN.
	Operations []string
	Tables     []string
	// PartitionKey and SortKey match the key of an item that the request names: a string, a number as the service
	// writes it, or binary in base64. A Query of a table names the partition key that it reads.
	PartitionKey string
	SortKey      string
	Identities   []string

	// Do is the action.
	Do FaultAction
	// Latency is how long the request waits: the whole effect of DoDelay and DoHold, or a wait before the other
	// actions. With LatencyP99 it is the median, and one request in a hundred waits longer than LatencyP99, at most ten
	// times as long. The wait is measured by the emulator's clock, and so lasts until Advance if that clock is stopped;
	// with RealTime it is measured by the machine's.
	Latency    time.Duration
	LatencyP99 time.Duration
	RealTime   bool
	// Members is how many members of a batch DoUnprocessed returns, and Fraction is their share of the batch, rounded
	// up. They are the last members that match the fault.
	Members  int
	Fraction float64

	// Probability is the chance that a matching request fails, drawn from the emulator's seed; 0 means 1.
	Probability float64
	// Of the matching requests, the first Skip pass; of the rest, the fault applies to every Every-th one, 0 meaning 1;
	// and after Times of them the fault has no more effect, 0 meaning no limit.
	Skip  int
	Every int
	Times int
	// From and Until bound the time in which the fault is active, on the emulator's clock. For is the length of that
	// time, from From or from when the fault is set. Zero values are no bounds.
	From, Until time.Time
	For         time.Duration
}

// MarshalJSON encodes the fault in the form of the admin API and of the files that ReadFaults reads.
func (f Fault) MarshalJSON() ([]byte, error) { return json.Marshal(faults.DocumentOf(f.rule())) }

// rule converts the fault to the form that the injector takes.
func (f Fault) rule() faults.Rule {
	return faults.Rule{
		Name: f.Name, Operations: f.Operations, Tables: f.Tables, PartitionKey: f.PartitionKey, SortKey: f.SortKey,
		Identities: f.Identities,
		Do:         faults.Action(f.Do), Latency: f.Latency, LatencyP99: f.LatencyP99, RealTime: f.RealTime,
		Members: f.Members, Fraction: f.Fraction,
		Probability: f.Probability, Skip: f.Skip, Every: f.Every, Times: f.Times, From: f.From, Until: f.Until, For: f.For,
	}
}

func faultOf(r faults.Rule) Fault {
	return Fault{
		Name: r.Name, Operations: r.Operations, Tables: r.Tables, PartitionKey: r.PartitionKey, SortKey: r.SortKey,
		Identities: r.Identities,
		Do:         FaultAction(r.Do), Latency: r.Latency, LatencyP99: r.LatencyP99, RealTime: r.RealTime, Members: r.Members,
		Fraction:    r.Fraction,
		Probability: r.Probability, Skip: r.Skip, Every: r.Every, Times: r.Times, From: r.From, Until: r.Until, For: r.For,
	}
}

// Fail sets a fault, which applies to requests from now on, until remove is called. Errors: a fault that is incomplete
// or impossible, such as one whose action applies to none of its operations. remove is never nil.
func (e *Emulator) Fail(f Fault) (remove func(), err error) {
	name, err := e.faults.Add(f.rule())
	if err != nil {
		return func() {}, fmt.Errorf("the fault cannot be set: %w", err)
	}
	return func() { _ = e.faults.Remove(name) }, nil // it may have been removed in another way
}

// FaultState is a fault that is set, with its counts.
type FaultState struct {
	Fault
	Matched int // requests that matched it, whether they failed or not
	Hits    int // requests that it applied to
	Waiting int // requests that it makes wait now
}

// Faults returns the faults that are set, in the order in which they were set.
func (e *Emulator) Faults() []FaultState {
	states := []FaultState{}
	for _, s := range e.faults.List() {
		states = append(states, FaultState{faultOf(s.Rule), s.Matched, s.Hits, s.Waiting})
	}
	return states
}

// WithFaults sets faults, as Fail does, before the first request. Start fails if one of them cannot be set.
func WithFaults(all ...Fault) Option {
	return func(o *options) { o.faults = append(o.faults, all...) }
}

// ReadFaults reads a file of faults, YAML in the form described in docs/faults.md. Errors are one line, with the line
// of the file and what to do.
func ReadFaults(file string) ([]Fault, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("file %s does not exist: use a YAML file of faults, as described in docs/faults.md", file)
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

// openFaults creates the fault injector and sets the faults of the options.
func (e *Emulator) openFaults(o options, keep func() (stop func())) error {
	e.faults = faults.New(e.clock, o.seed, keep, dynamo.FaultScope(), cosmos.FaultScope())
	e.faults.OnRestart(func() { e.restart(o.logger) })
	if o.record != nil {
		recordRequests(e.faults, &e.checked, o.record)
	}
	for _, f := range o.faults {
		if _, err := e.Fail(f); err != nil {
			return err
		}
	}
	return nil
}
