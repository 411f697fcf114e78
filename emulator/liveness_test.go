package emulator_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/internal/testutil/seeds"
)

// The liveness suite sends hostile requests, one kind after the other, while canaries read and write: on the other
// service, on another table, on the same table, and on the same partition of Cosmos DB. The emulator and the attackers
// are processes of their own; the attackers have the lowest priority. Each canary's request must succeed, each hostile
// request must end, memory and goroutines must return to normal, and SIGTERM at a random moment of the load must end
// the emulator's process in time.
//
// A seed is one case: 1 is the first, and so on; those after the last are the same cases with identities.
//
//	TABLETOP_LIVENESS=all      every case without and with identities, instead of a few
//	TABLETOP_LIVENESS=measure  every case, for longer; the canaries' p99 is limited to 50 ms, and a table of the
//	                           figures is printed: for a machine that does nothing else
const livenessVariable = "TABLETOP_LIVENESS"

// Limits of the suite.
const (
	// for one request; a query may take 30 s, and the machine may be busy with other tests
	stuckAfter    = time.Minute
	quietP99      = 50 * time.Millisecond // for a canary's requests, when measured
	returnTimeout = 30 * time.Second      // for memory and goroutines
	heapSlack     = 192 << 20             // bytes of heap that may stay: memtables, caches, pools
	residentSlack = 256 << 20             // bytes of the process that may stay, when measured
	routineSlack  = 64
	stopTimeout   = 10 * time.Second // from SIGTERM to the process's end
	sampled       = 3                // cases of the unit suite
)

// TestHostileRequestsDoNotDelayOthers runs cases of hostileCases with canaries.
func TestHostileRequestsDoNotDelayOthers(t *testing.T) {
	mode, cases := os.Getenv(livenessVariable), hostileCases()
	run, n := trial{lasts: 500 * time.Millisecond}, sampled
	if mode != "" {
		n = 2 * len(cases)
	}
	if mode == "measure" {
		run = trial{lasts: 4 * time.Second, measured: true}
		defer func() { fmt.Print(run.table.String()) }()
	}
	seeds.Run(t, n, func(t *testing.T, seed uint64) {
		i := int((seed - 1) % uint64(2*len(cases)))
		run.c, run.identities, run.random = cases[i%len(cases)], i >= len(cases), rand.New(rand.NewPCG(seed, 0))
		t.Run(run.name(), run.try)
	})
}

// trial is one case and how it is run.
type trial struct {
	lasts      time.Duration
	measured   bool
	c          hostileCase
	identities bool
	random     *rand.Rand
	table      strings.Builder
}

func (r *trial) name() string {
	if r.identities {
		return r.c.name + ", with identities"
	}
	return r.c.name
}

// try runs a case against a new emulator.
func (r *trial) try(t *testing.T) {
	a := newLivenessTest(t, r.identities)
	if r.c.prepare != nil {
		r.c.prepare(a)
	}
	var before figures
	a.emulator.ask(t, true, &before)
	resident := a.emulator.memory("VmRSS")
	quiet := r.undisturbed(a)
	a.emulator.forgetPeak()
	sung, ended := r.underAttack(a)
	peak := a.emulator.memory("VmHWM")
	a.memoryReturns(before)
	after := a.emulator.memory("VmRSS")
	if r.measured && after > resident+residentSlack {
		a.problemf("the process has %d MB, had %d", after>>20, resident>>20)
	}
	stopped := r.stopUnderAttack(a)
	r.row(quiet, sung, resident, peak, after, ended, stopped)
	for _, problem := range a.problems {
		t.Error(problem)
	}
}

// undisturbed returns the canaries' latencies without an attack, for comparison, when measured.
func (r *trial) undisturbed(a *livenessTest) (worst latencies) {
	if !r.measured {
		return worst
	}
	ctx, cancel := context.WithTimeout(a.t.Context(), r.lasts/4)
	defer cancel()
	for _, c := range a.release(ctx) {
		if l := c.check(a, 0); l.p99 > worst.p99 {
			worst = l
		}
	}
	return worst
}

// underAttack returns the results of the canaries and of the hostile requests.
func (r *trial) underAttack(a *livenessTest) (sung []latencies, o outcome) {
	attackers := a.startAttack(r.c)
	ctx, cancel := context.WithTimeout(a.t.Context(), r.lasts)
	defer cancel()
	bound := time.Duration(0)
	if r.measured {
		bound = quietP99
	}
	for _, c := range a.release(ctx) {
		l := c.check(a, bound)
		a.t.Logf("%s: %d requests, p50 / p99 / max %s ms", c.name, len(c.took), l)
		sung = append(sung, l)
	}
	o = endAttack(a.t, attackers)
	a.t.Logf("%d clients, requests by status: %v, %d failed", r.c.clients, o.Statuses, o.Failed)
	if o.Stuck > 0 {
		a.problemf("%d of %d requests did not end within %v", o.Stuck, o.requests(), stuckAfter)
	}
	if n := o.Statuses[http.StatusInternalServerError]; n > 0 {
		a.problemf("%d requests were answered as faults of the emulator", n)
	}
	return sung, o
}

// memoryReturns waits until memory and goroutines have returned to normal.
func (a *livenessTest) memoryReturns(before figures) {
	a.client.CloseIdleConnections()
	end, now := time.Now().Add(returnTimeout), figures{}
	for {
		a.emulator.ask(a.t, true, &now)
		if now.Heap < before.Heap+heapSlack && now.Routines < before.Routines+routineSlack && now.Held == 0 {
			return
		}
		if time.Now().After(end) {
			a.problemf("after %v there are %+v, before there were %+v", returnTimeout, now, before)
			return
		}
		runtime.Gosched()
	}
}

// stopUnderAttack ends the emulator at a random moment of another attack, and returns how long that took.
func (r *trial) stopUnderAttack(a *livenessTest) time.Duration {
	attackers := a.startAttack(r.c)
	moment := time.NewTimer(time.Duration(r.random.Int64N(int64(r.lasts))))
	defer moment.Stop()
	select {
	case <-moment.C:
	case <-a.emulator.ended:
		a.problemf("the emulator ended by itself: %v", a.emulator.status)
	}
	took, ended := a.emulator.endsWithin(syscall.SIGTERM, stopTimeout)
	if !ended {
		a.problemf("the emulator did not end within %v of SIGTERM", stopTimeout)
	} else if a.emulator.status != nil {
		a.problemf("the emulator ended with %v", a.emulator.status)
	}
	_ = attackers.cmd.Process.Kill()
	return took
}

// problemf records a problem.
func (a *livenessTest) problemf(format string, args ...any) {
	a.problems = append(a.problems, fmt.Sprintf(format, args...))
}

// row adds the figures of a case to the table.
func (r *trial) row(quiet latencies, sung []latencies, before, peak, after uint64, o outcome, stopped time.Duration) {
	if r.table.Len() == 0 {
		r.table.WriteString("\n| case | undisturbed p99 | other cloud | other table | same table | same partition | memory before / peak / after | hostile requests | SIGTERM |\n" +
			"|---|---|---|---|---|---|---|---|---|\n")
	}
	fmt.Fprintf(&r.table, "| %s | %s |", r.name(), milliseconds(quiet.p99))
	for _, l := range sung {
		fmt.Fprintf(&r.table, " %s |", l)
	}
	fmt.Fprintf(&r.table, " %d / %d / %d | %d | %.1f s |\n", before>>20, peak>>20, after>>20, o.requests(),
		stopped.Seconds())
}
