package sim

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"
)

// MaxFaults keeps a report readable.
const MaxFaults = 20

// Run is the part of a result that all simulators have.
type Run struct {
	Simulator   string    `json:"simulator"`          // the subcommand of tabletop simulate, such as brewers
	Shard       Shard     `json:"shard,omitzero"`     // the part that was simulated; zero: all
	Settings    Settings  `json:"settings,omitempty"` // what determines, with the seed, who does what
	Seed        uint64    `json:"seed"`
	From        time.Time `json:"from"` // simulated time
	To          time.Time `json:"to"`
	WallSeconds float64   `json:"wall_seconds"`

	Requests      int64 `json:"requests"`     // HTTP requests attempted
	Errors        int64 `json:"errors"`       // HTTP requests that failed and were retried
	ResponsesLost int64 `json:"answers_lost"` // responses that never reached their caller

	Reconciled bool     `json:"reconciled"`           // everything was read back and compared
	Invariants int      `json:"invariants,omitempty"` // that hold in the database
	Faults     []string `json:"faults,omitempty"`     // the first few
}

// Settings are values of flags, by their names without dashes.
type Settings map[string]string

// AddFault adds the description of a fault, if there are only a few so far.
func (r *Run) AddFault(text string) {
	if len(r.Faults) < MaxFaults {
		r.Faults = append(r.Faults, text)
	}
}

// Merge adds the results of all shards of one simulation, given in any order. runOf returns the Run in a result, and
// add adds what a result has besides. Errors: there are no results, they are of different simulations, or a shard is
// missing or there twice.
func Merge[R any](parts []R, runOf func(*R) *Run, add func(sum, part *R)) (sum R, err error) {
	if len(parts) == 0 {
		return sum, errors.New("no results of shards: name the files that --report wrote")
	}
	for i := range parts {
		if err := runOf(&parts[i]).sameSimulation(runOf(&parts[0])); err != nil {
			return sum, err
		}
	}
	ordered, err := InOrder(parts, func(p R) Shard { return runOf(&p).Shard }, runOf(&parts[0]).Simulator)
	if err != nil {
		return sum, err
	}
	sum = ordered[0]
	run := runOf(&sum)
	run.Shard, run.Faults = Shard{}, slices.Clone(run.Faults)
	for _, p := range ordered[1:] {
		run.add(runOf(&p))
		add(&sum, &p)
	}
	return sum, nil
}

// sameSimulation returns an error if the run is not of the same simulation as another.
func (r *Run) sameSimulation(other *Run) error {
	switch {
	case r.Shard.Of == 0 || other.Shard.Of == 0:
		return errors.New("a result is that of a whole simulation: merge only results of --shard")
	case r.Simulator != other.Simulator:
		return fmt.Errorf("shard %v is of %s, and shard %v of %s: merge only the results of one simulation",
			other.Shard, other.Simulator, r.Shard, r.Simulator)
	case r.Shard.Of != other.Shard.Of:
		return fmt.Errorf("shards %v and %v are not of one simulation: give all shards the same number of shards",
			other.Shard, r.Shard)
	}
	ours, theirs := r.settings(), other.settings()
	for _, name := range slices.Sorted(maps.Keys(theirs)) {
		if ours[name] != theirs[name] {
			return fmt.Errorf("shard %v has --%s %s, and shard %v has %s: give all shards the same", other.Shard, name,
				theirs[name], r.Shard, ours[name])
		}
	}
	return nil
}

// settings returns the settings with the seed.
func (r *Run) settings() Settings {
	all := Settings{"seed": strconv.FormatUint(r.Seed, 10)}
	maps.Copy(all, r.Settings)
	return all
}

// add adds the figures of another shard, which ran at the same time: of the durations, it keeps the longest.
func (r *Run) add(p *Run) {
	if p.From.Before(r.From) {
		r.From = p.From
	}
	if p.To.After(r.To) {
		r.To = p.To
	}
	r.WallSeconds = max(r.WallSeconds, p.WallSeconds)
	r.Requests += p.Requests
	r.Errors += p.Errors
	r.ResponsesLost += p.ResponsesLost
	r.Reconciled = r.Reconciled && p.Reconciled
	r.Invariants = min(r.Invariants, p.Invariants) // one that is broken in a database does not hold
	for _, text := range p.Faults {
		r.AddFault(text)
	}
}
