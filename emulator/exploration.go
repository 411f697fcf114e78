package emulator

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/cespare/xxhash/v2"

	"github.com/tabletop-db/tabletop/emulator/internal/faults"
	"github.com/tabletop-db/tabletop/internal/explore"
)

// WithExploration makes the mishaps of a plan happen, and passes each valid request to record, from several goroutines
// at a time, before it is done.
func WithExploration(p explore.Plan, record func(explore.Request)) Option {
	return func(o *options) {
		o.faults = append(o.faults, PlanFaults(p)...)
		o.record = record
	}
}

// PlanFaults returns the faults that make the mishaps of a plan happen. Of the faults for the same requests, those for
// later ones come first: a fault that refuses a request keeps it from the faults after it, which then do not count it.
func PlanFaults(p explore.Plan) []Fault {
	sorted := slices.Clone(p)
	slices.SortStableFunc(sorted, func(a, b explore.Mishap) int { return b.Nth - a.Nth })
	all := make([]Fault, len(sorted))
	for i, m := range sorted {
		all[i] = Fault{Operations: []string{m.Operation}, Do: FaultAction(m.Do), Skip: m.Nth - 1, Times: 1}
		if m.Table != "" {
			all[i].Tables = []string{m.Table}
		}
		switch m.Do {
		case explore.Unprocessed:
			all[i].Members = 1
		case explore.ClockJump:
			all[i].Latency = time.Hour
		}
	}
	return all
}

// recordRequests passes each request, with what happens to it, to record, until stopped.
func recordRequests(i *faults.Injector, stopped *atomic.Bool, record func(explore.Request)) {
	i.Watch(func(s *faults.Request, v *faults.Effect) {
		if stopped.Load() {
			return
		}
		r := explore.Request{Operation: s.Operation, Tables: tablesOf(s), Key: firstKey(s), Digest: xxhash.Sum64(s.Body),
			Client: s.Client[:min(len(s.Client), maxClient)], Trace: s.Trace, Writes: s.Writes,
			Eventual: s.Eventual, Batch: s.Batch, Conflicts: s.Conflicts, Transaction: s.Transaction, Pages: s.Pages,
			Stream: s.Stream}
		if actions := v.Actions(); len(actions) > 0 {
			r.Mishap = explore.Kind(actions[0])
		}
		record(r)
	})
}

// maxClient is the number of bytes of a user agent that are recorded.
const maxClient = 256

// tablesOf returns the tables that a request names, each once.
func tablesOf(s *faults.Request) []string {
	var tables []string
	for _, r := range s.Resources {
		if r.Table != "" && !slices.Contains(tables, r.Table) {
			tables = append(tables, r.Table)
		}
	}
	return tables
}

// firstKey returns the key of the first item that a request names, as PARTITION or PARTITION/SORT.
func firstKey(s *faults.Request) string {
	if len(s.Resources) == 0 {
		return ""
	}
	key := s.Resources[0].Partition
	if sort := s.Resources[0].Sort; sort != "" {
		key += "/" + sort
	}
	return key
}

// Explored reports whether this is an emulator of a run of Explore. Its clients need not wait before they send a
// request again.
func (e *Emulator) Explored() bool { return e.explored }

// StopExploring ends what is explored of a run of Explore, and removes all faults: nothing happens to later requests.
// Call it before the requests by which the test checks the result, so that no run is spent on those. Outside of Explore
// it does nothing.
func (e *Emulator) StopExploring() {
	if e.explored {
		e.checked.Store(true)
		e.faults.Clear()
	}
}

// retryAtOnce returns the SDK's standard retryer without its waits.
func retryAtOnce() aws.Retryer {
	return retry.NewStandard(func(o *retry.StandardOptions) {
		o.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return 0, nil })
	})
}
