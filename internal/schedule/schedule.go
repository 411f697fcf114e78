// Package schedule runs the goroutines of a test in an order that comes from a seed: a failing interleaving is replayed
// by its seed. The goroutines yield at the points where another one could matter, and of those that stand at such a
// point the seed says which one goes on. Between two points one runs, or those that it woke.
package schedule

import (
	"cmp"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// Worker is a goroutine of a test. It calls yield where others may run.
type Worker func(yield func())

// Run runs the workers that begin returns, until all have ended. It does so in a bubble of [synctest], of which are the
// mutexes that a worker may hold where it yields: nobody else may wait for one, only for channels and conditions made
// in begin or later. A test whose workers wait for each other for ever fails.
func Run(t *testing.T, seed uint64, begin func(t *testing.T) []Worker) {
	t.Helper()
	RunWith(t, seed, func(t *testing.T, _ func()) []Worker { return begin(t) })
}

// RunWith is Run for workers in whose midst code yields that does not know which worker runs it: it calls yield, which
// does nothing in a goroutine that is no worker.
func RunWith(t *testing.T, seed uint64, begin func(t *testing.T, yield func()) []Worker) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &scheduler{random: rand.New(rand.NewPCG(seed, 0)), numbers: map[string]int{}}
		workers := begin(t, s.yieldHere)
		s.running = len(workers)
		for number, work := range workers {
			go func() {
				defer s.end()
				s.register(number)
				yield := func() { s.yield(number) }
				yield()
				work(yield)
			}()
		}
		for {
			synctest.Wait() // all stand at a point, wait for one another, or have ended
			if s.resumeOne() {
				continue
			}
			if s.left() > 0 {
				t.Fatalf("%d workers wait for each other", s.left())
			}
			return
		}
	})
}

type scheduler struct {
	random *rand.Rand

	mu      sync.Mutex
	running int
	parked  []point
	numbers map[string]int // of the workers, by their goroutines
}

// goroutine names the one that runs: the first words of its stack, such as "goroutine 17".
func goroutine() string {
	var text [64]byte
	n := runtime.Stack(text[:], false)
	name, _, _ := strings.Cut(string(text[:n]), " [")
	return name
}

func (s *scheduler) register(worker int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.numbers[goroutine()] = worker
}

// yieldHere yields for the worker that calls it, if it is one.
func (s *scheduler) yieldHere() {
	s.mu.Lock()
	worker, ok := s.numbers[goroutine()]
	s.mu.Unlock()
	if ok {
		s.yield(worker)
	}
}

// point is where a worker stands.
type point struct {
	worker int
	resume chan struct{}
}

func (s *scheduler) yield(worker int) {
	p := point{worker, make(chan struct{})}
	s.mu.Lock()
	s.parked = append(s.parked, p)
	s.mu.Unlock()
	<-p.resume
}

// resumeOne lets one of the workers at a point go on; false: there are none.
func (s *scheduler) resumeOne() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.parked) == 0 {
		return false
	}
	// Who came first may be chance, where one worker woke another.
	slices.SortFunc(s.parked, func(a, b point) int { return cmp.Compare(a.worker, b.worker) })
	i := s.random.IntN(len(s.parked))
	close(s.parked[i].resume)
	s.parked = slices.Delete(s.parked, i, i+1)
	return true
}

func (s *scheduler) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running--
}

func (s *scheduler) left() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.running
}

// Pass moves the fake clock of a synctest bubble, and lets everything happen that was due. It panics outside of a
// bubble, where it would have to wait.
func Pass(d time.Duration) {
	synctest.Wait()
	time.Sleep(d)
	synctest.Wait()
}
