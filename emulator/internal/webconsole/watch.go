package webconsole

import (
	"errors"
	"sync"
	"sync/atomic"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
	cosmos "github.com/tabletop-db/tabletop/emulator/internal/cosmos/telemetry"
	dynamo "github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
)

// maxWatchers is how many streams of events can be open. A browser opens at most six connections to a host.
const maxWatchers = 32

// errTooManyWatchers reports that maxWatchers streams are open.
var errTooManyWatchers = errors.New("too many streams of events are open: close other windows of the console")

// subscriber is an open stream. Its methods must not block.
type subscriber interface {
	request(*request)      // a request has been answered
	change(control.Change) // something has changed
	wantsBodies() bool     // whether requests need their bodies
	wantsRequests() bool   // whether request is called
}

// watchers are the open streams of events. The emulator reports events only while there are any. It is safe for
// concurrent use.
type watchers struct {
	observe func(*control.Observer) // starts or stops the reports

	mu     sync.RWMutex
	open   map[subscriber]struct{}
	serial atomic.Uint64
	ended  chan struct{} // closed with the emulator
}

func newWatchers(observe func(*control.Observer)) *watchers {
	return &watchers{observe: observe, open: map[subscriber]struct{}{}, ended: make(chan struct{})}
}

// add opens a stream. Errors: errTooManyWatchers.
func (w *watchers) add(s subscriber) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.open) >= maxWatchers {
		return errTooManyWatchers
	}
	if w.open[s] = struct{}{}; len(w.open) == 1 {
		w.observe(&control.Observer{DynamoDB: w.observeDynamoDB, Cosmos: w.observeCosmos, Changed: w.changed})
	}
	return nil
}

// remove closes a stream.
func (w *watchers) remove(s subscriber) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if delete(w.open, s); len(w.open) == 0 {
		w.observe(nil)
	}
}

// end ends all streams, now and later. It may be called more than once.
func (w *watchers) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case <-w.ended:
	default:
		close(w.ended)
	}
}

func (w *watchers) observeDynamoDB(e *dynamo.Event) {
	w.report(func(bodies bool) *request { return dynamoRequestOf(e, bodies) }, dynamoChanges(e))
}

func (w *watchers) observeCosmos(e *cosmos.Event) {
	w.report(func(bodies bool) *request { return cosmosRequestOf(e, bodies) }, cosmosChanges(e))
}

// report passes a request, which describe copies, and its changes to the streams.
func (w *watchers) report(describe func(bodies bool) *request, changes []control.Change) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	requests, bodies := false, false
	for s := range w.open {
		requests, bodies = requests || s.wantsRequests(), bodies || s.wantsBodies()
	}
	if requests {
		one := describe(bodies)
		one.ID = w.serial.Add(1)
		for s := range w.open {
			s.request(one)
		}
	}
	for _, c := range changes {
		for s := range w.open {
			s.change(c)
		}
	}
}

func (w *watchers) changed(c control.Change) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	for s := range w.open {
		s.change(c)
	}
}
