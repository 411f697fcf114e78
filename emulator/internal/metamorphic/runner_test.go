package metamorphic

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator"
)

// operation is one step of a history.
type operation struct {
	name string // what a report shows
	// lane is the data that the operation works on: operations of different lanes are independent, and may run
	// concurrently. An operation without one runs alone.
	group string
	// eventual reports that the response need not be current if replicas lag. The operation then checks itself that it is
	// an earlier state.
	eventual bool
	writes   []string // items that it may change: see runner.remember
	run      func(*runner) string
}

// runner runs a history against one configuration.
type runner struct {
	*target
	config   config
	dir      string
	random   *rand.Rand // for what the configuration adds to the history
	problems []string   // failures that do not depend on other configurations

	mu      sync.Mutex
	etags   map[string]string          // of Cosmos DB's items, as last answered
	states  map[string]map[string]bool // all states of an item, if replicas lag
	stream  streamReplica
	feed    feedReplica
	backups map[string]saved
	key     string // ARN of the customer managed key
}

// start is the initial time of all clocks.
var start = time.Date(2026, 11, 21, 12, 0, 0, int(500*time.Millisecond), time.UTC)

func newRunner(t *testing.T, c config, seed uint64) (*runner, error) {
	r := &runner{config: c, random: rand.New(rand.NewPCG(seed, 99)), etags: map[string]string{},
		states: map[string]map[string]bool{}, backups: map[string]saved{}}
	r.stream.items, r.feed.items = map[string]string{}, map[string]string{}
	if c.disk {
		r.dir = t.TempDir()
	}
	return r, r.open(start)
}

// open starts the emulator on what is in the folder.
func (r *runner) open(now time.Time) error {
	options := append([]emulator.Option{emulator.WithCosmosHTTPAddr("127.0.0.1:0"),
		emulator.WithCosmosConsistency("Strong")}, r.config.options(now)...)
	if r.dir != "" {
		options = append(options, emulator.WithData(r.dir))
	}
	e, err := emulator.Start(options...)
	if err != nil {
		return err
	}
	r.target = &target{Emulator: e, client: &http.Client{Transport: &http.Transport{MaxConnsPerHost: 16,
		MaxIdleConnsPerHost: 16}}}
	return r.config.prepare(e)
}

func (r *runner) close() error {
	r.client.CloseIdleConnections()
	return r.Close()
}

func (r *runner) problem(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.problems) < 20 {
		r.problems = append(r.problems, fmt.Sprintf(format, args...))
	}
}

// runHistory returns the responses to all operations, and the problems.
func runHistory(t *testing.T, c config, seed uint64, history []operation) (answers, problems []string) {
	r, err := newRunner(t, c, seed)
	if err != nil {
		return nil, []string{err.Error()}
	}
	answers = make([]string, len(history))
	for from := 0; from < len(history); {
		to := from + 1
		for c.concurrent && history[from].group != "" && to < len(history) && history[to].group != "" {
			to++
		}
		r.together(history[from:to], answers[from:to])
		r.between()
		from = to
	}
	r.checkAtEnd()
	if err := r.close(); err != nil {
		r.problem("closing: %v", err)
	}
	return answers, r.problems
}

// together runs operations; those of different lanes run concurrently.
func (r *runner) together(some []operation, answers []string) {
	var lanes []string
	for _, one := range some {
		if !slices.Contains(lanes, one.group) {
			lanes = append(lanes, one.group)
		}
	}
	var wg sync.WaitGroup
	for _, lane := range lanes {
		wg.Go(func() {
			for i, one := range some {
				if one.group == lane {
					answers[i] = r.one(one)
				}
			}
		})
	}
	wg.Wait()
}

func (r *runner) one(o operation) string {
	answer := o.run(r)
	if r.config.lags {
		for _, item := range o.writes {
			r.remember(item)
		}
	}
	return answer
}

// between does what the configuration adds between two operations, which must not change responses.
func (r *runner) between() {
	switch {
	case r.config.reopens && r.random.IntN(25) == 0:
		now := r.Now()
		if err := r.close(); err != nil {
			r.problem("closing: %v", err)
		}
		if err := r.open(now); err != nil {
			panic(fmt.Sprintf("reopening: %v", err))
		}
	case r.config.relocates && r.random.IntN(25) == 0:
		if err := r.relocate(); err != nil {
			panic(fmt.Sprintf("restoring a snapshot in another emulator: %v", err))
		}
	case r.config.restores && r.random.IntN(15) == 0:
		s, err := r.Snapshot()
		if err == nil {
			err = r.Restore(s)
		}
		if err != nil {
			r.problem("a snapshot and its restore: %v", err)
		}
	}
}

// relocate continues with a new emulator, which restores a snapshot of the previous one.
func (r *runner) relocate() error {
	s, err := r.Snapshot()
	if err != nil {
		return err
	}
	before := r.target
	if err := r.open(before.Now()); err != nil {
		return err
	}
	before.client.CloseIdleConnections()
	return errors.Join(r.Restore(s), before.Close())
}

func (r *runner) advance(d time.Duration) {
	if err := r.Advance(d); err != nil {
		r.problem("advancing by %v: %v", d, err)
	}
}

// absent is the state of an item that does not exist.
const absent = "absent"

// remember records the current state of an item, with a consistent read.
func (r *runner) remember(item string) {
	now := r.readDynamo(item)
	if item[0] == 'c' {
		now = r.readCosmos(item)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.states[item] == nil {
		r.states[item] = map[string]bool{absent: true}
	}
	r.states[item][now] = true
}

// wasThere checks that a read returned a state that the item has had.
func (r *runner) wasThere(item, shown string) {
	r.mu.Lock()
	known := r.states[item]
	r.mu.Unlock()
	if shown != absent && !known[shown] {
		r.problem("item %s was never in the state that an eventually consistent read shows: %s", item, shown)
	}
}
