// Package schedule runs the goroutines of a test in an order that comes from a seed: a failing interleaving is replayed by its
// seed. The goroutines yield at the points where another one could matter, and of those that stand at such a point the seed says
// which one goes on. Between two points one runs, or those that it woke.
package schedule

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
)

// Worker is a goroutine of a test. It calls yield where others may run.
type Worker func(yield func())

// Run runs the workers that begin returns, until all have ended. It does so in a bubble of [synctest], of which are the mutexes
// that a worker may hold where it yields: nobody else may wait for one, only for channels and conditions made in begin or later.
// A test whose workers wait for each other for ever fails.
func Run(t *testing.T, seed uint64, begin func(t *testing.T) []Worker) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &scheduler{random: rand.New(rand.NewPCG(seed, 0))}
		workers := begin(t)
		s.running = len(workers)
		for number, work := range workers {
			go func() {
				defer s.end()
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
