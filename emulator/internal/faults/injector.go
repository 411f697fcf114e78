package faults

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
)

// Injector holds rules and applies them to requests. It is safe for concurrent use.
type Injector struct {
	clock  *clock.Clock
	seed   uint64
	keep   func() (stop func())
	scopes []Scope

	rules   atomic.Pointer[[]*activeRule] // nil if there are none
	watch   func(*Request, *Effect)       // nil: nobody watches
	restart func()

	mu       sync.Mutex // held during changes of rules
	ordinal  uint64
	released chan struct{} // closed while no request may wait
	releases int           // number of Releases in effect
}

// maxRules is the largest number of rules at a time.
const maxRules = 1000

// activeRule is a rule that is set.
type activeRule struct {
	Rule
	from, until time.Time // of the window
	stop        func()    // undoes keep

	mu      sync.Mutex // guards the fields below
	rng     *rand.Rand
	matched int // matching requests while the window was open
	hits    int

	waiting atomic.Int64
}

// New returns an injector without rules. Everything random comes from the seed. keep is called when a rule needs old
// states to be kept, and its result when that ends. scopes are those of the services that use the injector.
func New(c *clock.Clock, seed uint64, keep func() (stop func()), scopes ...Scope) *Injector {
	return &Injector{clock: c, seed: seed, keep: keep, scopes: scopes, released: make(chan struct{})}
}

// Watch makes f see each request with what the rules do to it, before that is done. It is called before the first
// request; f is called by several goroutines at a time, and retains nothing.
func (i *Injector) Watch(f func(*Request, *Effect)) { i.watch = f }

// OnRestart makes f restart the emulator for rules of Restart. It is called before the first request.
func (i *Injector) OnRestart(f func()) { i.restart = f }

// Restart restarts the emulator. The caller is a request to which Restart applied, after it was done and before its
// connection ends; it must hold nothing that other requests wait for.
func (i *Injector) Restart() { i.restart() }

// Active reports whether requests must be passed to Apply: there are rules, or somebody watches. A nil injector has
// none.
func (i *Injector) Active() bool { return i != nil && (i.rules.Load() != nil || i.watch != nil) }

// Add sets a rule, which applies to requests from now on. It returns the rule's name.
func (i *Injector) Add(r Rule) (name string, err error) {
	if err := r.Check(); err != nil {
		return "", err
	}
	if err := checkScopes(i.scopes, &r); err != nil {
		return "", err
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	rules := i.all()
	if len(rules) == maxRules {
		return "", fmt.Errorf("there are already %d faults, the maximum: remove one first", maxRules)
	}
	taken := func(name string) bool {
		return slices.ContainsFunc(rules, func(l *activeRule) bool { return l.Name == name })
	}
	if taken(r.Name) {
		return "", fmt.Errorf("fault %q already exists: choose another name, or remove it first", r.Name)
	}
	i.ordinal++
	for n := i.ordinal; r.Name == "" || taken(r.Name); n++ {
		r.Name = "fault-" + strconv.FormatUint(n, 10)
	}
	l := &activeRule{Rule: r, from: r.From, until: r.Until, rng: rand.New(rand.NewPCG(i.seed, i.ordinal)), stop: func() {}}
	if r.For > 0 {
		if l.from.IsZero() {
			l.from = i.clock.Now()
		}
		l.until = l.from.Add(r.For)
	}
	if r.Do == Stale {
		l.stop = i.keep()
	}
	rules = append(slices.Clip(rules), l)
	i.rules.Store(&rules)
	return r.Name, nil
}

func (i *Injector) all() []*activeRule {
	if rules := i.rules.Load(); rules != nil {
		return *rules
	}
	return nil
}

// ErrNoRule reports that there is no rule of a name.
var ErrNoRule = errors.New("fault not found: list the names with tabletop faults list")

// Remove removes a rule. Requests that wait because of it continue to wait.
func (i *Injector) Remove(name string) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	rules := i.all()
	at := slices.IndexFunc(rules, func(l *activeRule) bool { return l.Name == name })
	if at < 0 {
		return ErrNoRule
	}
	rules[at].stop()
	rules = slices.Delete(slices.Clone(rules), at, at+1)
	i.rules.Store(&rules)
	if len(rules) == 0 {
		i.rules.Store(nil)
	}
	return nil
}

// Clear removes all rules and returns how many there were.
func (i *Injector) Clear() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	rules := i.all()
	for _, l := range rules {
		l.stop()
	}
	i.rules.Store(nil)
	return len(rules)
}

// RuleState is a rule and its counts.
type RuleState struct {
	Rule
	Matched int  // matching requests, whether they failed or not
	Hits    int  // requests that the rule applied to
	Waiting int  // requests that wait now
	Ended   bool // it applies to no further request: its time is over, or it was applied as often as it says
}

// List returns all rules, in the order in which they were set.
func (i *Injector) List() []RuleState {
	states, now := []RuleState{}, i.clock.Now()
	for _, l := range i.all() {
		l.mu.Lock()
		ended := !l.until.IsZero() && !now.Before(l.until) || l.Times > 0 && l.hits == l.Times
		states = append(states, RuleState{Rule: l.Rule, Matched: l.matched, Hits: l.hits, Waiting: int(l.waiting.Load()),
			Ended: ended})
		l.mu.Unlock()
	}
	return states
}

// trigger counts a matching request, and returns whether the rule applies to it and how long it waits.
func (l *activeRule) trigger(now time.Time) (wait time.Duration, ok bool) {
	if now.Before(l.from) || !l.until.IsZero() && !now.Before(l.until) {
		return 0, false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.matched++
	nth := l.matched - l.Skip
	if nth <= 0 || nth%max(l.Every, 1) != 0 || l.Times > 0 && l.hits == l.Times {
		return 0, false
	}
	if l.Probability > 0 && l.rng.Float64() >= l.Probability {
		return 0, false
	}
	l.hits++
	return l.wait(), true
}

// longTail is how many times the 99th percentile a wait may last.
const longTail = 10

// wait returns how long a request waits: Latency or, with a 99th percentile, a log-normally distributed time with that
// median.
func (l *activeRule) wait() time.Duration {
	if l.LatencyP99 == 0 {
		return l.Latency
	}
	const ninetyNinth = 2.3263 // standard deviations
	sigma := math.Log(float64(l.LatencyP99)/float64(l.Latency)) / ninetyNinth
	wait := float64(l.Latency) * math.Exp(sigma*l.rng.NormFloat64())
	return time.Duration(min(wait, longTail*float64(l.LatencyP99), float64(MaxLatency)))
}
