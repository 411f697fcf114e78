// Package schedule runs the goroutines of a test in an order that a seed determines, so that a failing interleaving can
// be replayed. The goroutines yield at the points where another one could matter, and the seed determines which of the
// yielding ones continues. Between two points only one runs, with those that it wakes.
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

// Run runs the workers that begin returns until all have ended. It runs them in a [synctest] bubble. While a worker
// that yields holds a mutex, no other goroutine may wait for that mutex; they may wait only for channels and conditions
// created in begin or later. The test fails if the workers deadlock.
func Run(t *testing.T, seed uint64, begin func(t *testing.T) []Worker) {
	t.Helper()
	RunWith(t, seed, func(t *testing.T, _ func()) []Worker { return begin(t) })
}

// RunWith is Run for workers that call code which yields without knowing the worker: it calls yield, which does nothing
// in a goroutine that is not a worker.
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
			synctest.Wait() // all are at a point, wait for one another, or have ended
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
	numbers map[string]int // of the workers by goroutine
}

// goroutine returns the name of the current goroutine: the first words of its stack, such as "goroutine 17".
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

// yieldHere yields for the worker that calls it, if any.
func (s *scheduler) yieldHere() {
	s.mu.Lock()
	worker, ok := s.numbers[goroutine()]
	s.mu.Unlock()
	if ok {
		s.yield(worker)
	}
}

// point is where a worker has yielded.
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

// resumeOne resumes one of the workers at a point. It returns false if there are none.
func (s *scheduler) resumeOne() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.parked) == 0 {
		return false
	}
	// The order of arrival may be random, if one worker woke another.
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

// Advance moves the fake clock of a synctest bubble, and waits for everything that was due. It panics outside of a
// bubble, where it would have to wait.
func Advance(d time.Duration) {
	synctest.Wait()
	time.Sleep(d)
	synctest.Wait()
}
