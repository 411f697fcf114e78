// Package measure runs workloads on servers that take turns, and summarizes what it saw.
package measure

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tabletop-db/tabletop/tools/performance/server"
	"github.com/tabletop-db/tabletop/tools/performance/wire"
	"github.com/tabletop-db/tabletop/tools/performance/workload"
)

// Load is how much to send in a window. One of Requests and Duration is set.
type Load struct {
	Connections int
	Requests    int           // a fixed number
	Duration    time.Duration // as many as fit
	Seed        uint64        // of the requests
}

// Window is one measured window of one workload on one server.
type Window struct {
	Requests, Errors     int
	Duration             time.Duration
	Latencies            []time.Duration `json:"-"` // sorted
	ServerCPU, ClientCPU time.Duration
	Foreign              float64 // CPU that neither of them used, as a part of the machine
	FirstError           string
}

// PerRequest returns the server's CPU time per request.
func (w *Window) PerRequest() time.Duration { return w.ServerCPU / time.Duration(max(w.Requests, 1)) }

// Throughput returns the number of correct responses per second.
func (w *Window) Throughput() float64 { return float64(w.Requests-w.Errors) / w.Duration.Seconds() }

// settling is how long the server's CPU time still counts after the last response: some work follows it.
const settling = 30 * time.Millisecond

// Run measures one window. The connections are made before it. Errors: a server that cannot be reached or measured;
// wrong responses are counted instead.
func Run(s *server.Server, w *workload.Workload, load Load) (*Window, error) {
	if w.Connections > 0 {
		load.Connections = w.Connections
	}
	senders, err := dialAll(s, w, load)
	if err != nil {
		return nil, err
	}
	server0, err := s.CPU()
	if err != nil {
		return nil, err
	}
	machine0, client0, began := server.MachineCPU(), server.OwnCPU(), time.Now()
	switch {
	case w.Rate > 0:
		openLoop(senders, w.Rate, load.Duration)
	case load.Requests > 0:
		fixedNumber(senders, load.Requests)
	default:
		closedLoop(senders, load.Duration)
	}
	window := &Window{Duration: time.Since(began), ClientCPU: server.OwnCPU() - client0}
	time.Sleep(settling)
	server1, err := s.CPU()
	if err != nil {
		return nil, err
	}
	window.ServerCPU = server1 - server0
	others := server.MachineCPU() - machine0 - window.ServerCPU - window.ClientCPU
	window.Foreign = max(0, others.Seconds()/time.Since(began).Seconds()/float64(runtime.NumCPU()))
	window.collect(senders)
	return window, nil
}

func dialAll(s *server.Server, w *workload.Workload, load Load) ([]*sender, error) {
	var senders []*sender
	for _, g := range s.Generators(w, load.Connections, load.Seed) {
		one := &sender{conn: s.Conn(), requests: g, workload: w}
		if err := one.conn.Dial(); err != nil {
			return nil, err
		}
		senders = append(senders, one)
	}
	return senders, nil
}

// collect adds up what the senders saw, and closes them.
func (w *Window) collect(senders []*sender) {
	for _, s := range senders {
		s.conn.Close()
		w.Latencies = append(w.Latencies, s.latencies...)
		w.Errors += s.errors
		w.FirstError = max(w.FirstError, s.firstError)
	}
	slices.Sort(w.Latencies)
	w.Requests = len(w.Latencies)
}

// sender is a connection, its requests, and what it saw.
type sender struct {
	conn       *wire.Conn
	requests   *wire.Generator
	workload   *workload.Workload
	latencies  []time.Duration
	errors     int
	firstError string
}

// send sends the next request and notes its latency since a time.
func (s *sender) send(since time.Time) {
	status, body, err := s.conn.Do(s.requests.Request())
	s.latencies = append(s.latencies, time.Since(since))
	if err == nil {
		err = s.workload.Acceptable(status, body)
	}
	if err != nil {
		s.fail(err)
	}
}

func (s *sender) fail(err error) {
	s.errors++
	if s.firstError == "" {
		s.firstError = err.Error()
	}
}

// forEach runs a function for each sender, all at once.
func forEach(senders []*sender, run func(*sender)) {
	var all sync.WaitGroup
	for _, s := range senders {
		all.Go(func() { run(s) })
	}
	all.Wait()
}

// closedLoop sends, on each connection, each request after the response to the previous one.
func closedLoop(senders []*sender, d time.Duration) {
	began := time.Now()
	forEach(senders, func(s *sender) {
		for now := began; now.Sub(began) < d; now = time.Now() {
			s.send(now)
		}
	})
}

// fixedNumber sends n requests, as closedLoop does. A connection that is served faster sends more of them.
func fixedNumber(senders []*sender, n int) {
	var left atomic.Int64
	left.Store(int64(n))
	forEach(senders, func(s *sender) {
		for left.Add(-1) >= 0 {
			s.send(time.Now())
		}
	})
}

// openLoop sends requests at a fixed rate whatever the server does. Latencies count from when a request was due, so
// that the time it waited for a connection is part of it. Requests that are not sent a second after the window are
// errors.
func openLoop(senders []*sender, rate int, d time.Duration) {
	const grace = time.Second
	total := int(d.Seconds() * float64(rate))
	due := make(chan time.Time, total) // holds all, so that it never waits for a connection
	began := time.Now()
	var all sync.WaitGroup
	all.Go(func() {
		forEach(senders, func(s *sender) {
			for at := range due {
				if time.Since(began) > d+grace {
					s.latencies = append(s.latencies, time.Since(at))
					s.fail(fmt.Errorf("overloaded: not sent %v after the window", grace))
				} else {
					s.send(at)
				}
			}
		})
	})
	for i := range total {
		at := began.Add(time.Duration(i) * time.Second / time.Duration(rate))
		if wait := time.Until(at); wait > 0 {
			server.Sleep(wait)
		}
		due <- at
	}
	close(due)
	all.Wait()
}

// Quantile returns a quantile of sorted latencies, 0 if there are none.
func Quantile(sorted []time.Duration, q float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}

// Median returns the median of some values, 0 if there are none.
func Median[T ~int64 | ~float64](values []T) T {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}
