package emulator

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/tabletop-db/tabletop/internal/explore"
	"github.com/tabletop-db/tabletop/internal/explore/testbinary"
)

// Test is the part of *testing.T that Explore needs.
type Test[T any] interface {
	TB
	Name() string
	Context() context.Context
	Deadline() (deadline time.Time, ok bool)
	Run(name string, f func(T)) bool
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
}

// PlanVariable is the environment variable with a plan of mishaps that Explore runs alone, in this process.
const PlanVariable = "TABLETOP_EXPLORE_PLAN"

// Explore runs a test again and again, each time with an emulator of its own, and each time with other mishaps: a
// response that is lost after the commit, a throttle, a conflict, a batch that is partly unprocessed, an old state of a
// replica, a page that ends early, stream records that come twice, an hour that passes, a database that restarts. What
// the test asks of the database decides what is tried: first each kind of mishap at each operation on each table, then
// pairs and triples at random.
//
//	func TestTransfer(t *testing.T) {
//		emulator.Explore(t, func(t *testing.T, e *emulator.Emulator) {
//			bank := newBank(t, dynamodb.NewFromConfig(e.AWSConfig()))
//			bank.transfer("alice", "bob", 20)
//			if got := bank.balance("bob"); got != 20 {
//				t.Errorf("Bob has %d, want 20", got)
//			}
//		})
//	}
//
// Each combination of mishaps that makes the test fail is run again, beside a run without mishaps, shrunk to the fewest
// mishaps, and reported as a failed subtest that tells what happened and how to run it alone. Explore fails at once if
// the test fails without mishaps.
//
// The runs are in processes of their own, started from the test binary for this one test: a run that panics, exits or
// does not end is a finding, not the end of the tests. What the test does before Explore happens once in each process.
// Explore ends before the deadline of the test binary. A test may call Explore at several places, but at each only
// once.
func Explore[T Test[T]](t T, test func(T, *Emulator), opts ...ExploreOption) {
	t.Helper()
	s := exploration{Settings: explore.Settings{Runs: 1000, For: 20 * time.Second, Seed: 1,
		Parallel: runtime.GOMAXPROCS(0)}, limit: 20 * time.Second}
	for _, opt := range opts {
		opt(&s)
	}
	if err := s.readEnvironment(os.Getenv); err != nil {
		t.Fatalf("%v", err)
		return
	}
	_, file, line, _ := runtime.Caller(1)
	call := fmt.Sprintf("%s %s:%d", t.Name(), file, line)
	if text := os.Getenv(PlanVariable); text != "" {
		runPlan(t, test, &s, text)
	} else if !testbinary.IsWorker() {
		search(t, &s, call)
	} else if testbinary.Serves(call) {
		serve(t, test, &s)
	}
}

// runPlan runs the test with the plan that the environment names.
func runPlan[T Test[T]](t T, test func(T, *Emulator), s *exploration, text string) {
	t.Helper()
	p, err := explore.ParsePlan(text)
	if err != nil {
		t.Fatalf("%s: %v", PlanVariable, err)
		return
	}
	t.Logf("%s", p)
	runExplored(t, test, s, p, func(explore.Request) {})
}

// serve runs the test in this worker with the plans of its parent.
func serve[T Test[T]](t T, test func(T, *Emulator), s *exploration) {
	t.Helper()
	if err := testbinary.Serve(func(p explore.Plan, record func(explore.Request)) bool {
		return runExplored(t, test, s, p, record)
	}); err != nil {
		t.Fatalf("%v", err)
	}
}

// runExplored runs the test once, as a subtest, and reports whether it passed. The subtest around it ends only when
// parallel subtests have ended too.
func runExplored[T Test[T]](t T, test func(T, *Emulator), s *exploration, p explore.Plan,
	record func(explore.Request)) bool {
	return t.Run("explored", func(t T) {
		t.Run("run", func(t T) {
			var ended atomic.Bool // requests are no longer the test's
			opts := append(s.options[:len(s.options):len(s.options)], WithExploration(p, func(r explore.Request) {
				if !ended.Load() {
					record(r)
				}
			}))
			e := Run(t, opts...)
			if s.check != nil {
				t.Cleanup(func() { // after the cleanups of the test
					ended.Store(true)
					e.faults.Clear()
					if err := s.check(context.WithoutCancel(t.Context()), e); err != nil {
						t.Errorf("%v", err)
					}
				})
			}
			test(t, e)
		})
	})
}

// spareTime is how long before the deadline of the test binary Explore ends.
const spareTime = 5 * time.Second

// search explores the test in worker processes and reports what is found.
func search[T Test[T]](t T, s *exploration, call string) {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatalf("Explore cannot start the test binary again: %v", err)
		return
	}
	if deadline, ok := t.Deadline(); ok && (s.For == 0 || time.Until(deadline)-spareTime < s.For) {
		s.For = max(time.Until(deadline)-spareTime, time.Millisecond)
	}
	began := time.Now()
	binary := testbinary.New(path, t.Name(), call, os.Args[1:], s.Parallel, s.limit)
	defer binary.Close()
	result, err := explore.Search(t.Context(), binary, s.Settings)
	if err != nil {
		t.Fatalf("Explore: %v", err)
		return
	}
	took := time.Since(began)
	t.Logf("%d runs in %s (%.0f a second), seed %d; %s", result.Runs, took.Round(time.Millisecond),
		float64(result.Runs)/took.Seconds(), result.Seed, result.Summary())
	for _, f := range result.Findings {
		reportFinding(t, f)
	}
}

// reportFinding reports a finding as a failed subtest.
func reportFinding[T Test[T]](t T, f *explore.Finding) {
	plan, pattern := f.Plan.Text(), strings.ReplaceAll(testbinary.Pattern(t.Name()), "'", `'\''`)
	t.Run(strings.ReplaceAll(plan, " ", "_"), func(t T) {
		t.Errorf("%sReproduce: %s='%s' go test -run '%s'", f.Story(), PlanVariable, plan, pattern)
	})
}
