package process

import (
	"slices"
	"strings"
	"sync"

	"github.com/tabletop-db/tabletop/internal/explore"
)

// CheckClient is the application name in the user agent of the requests of Program.Check. They are not recorded.
const CheckClient = "tabletop-check"

// requests records the requests of a run.
type requests struct {
	checking sync.Mutex // held while holds is called
	mu       sync.Mutex
	holds    func() bool // whether everything holds now; nil: not checked. It sends requests itself.
	all      []explore.Request
	held     int // the number of requests before the last moment at which everything held
}

// add records a request, before it is done. All earlier requests of a client that sends one at a time are done then.
func (l *requests) add(r explore.Request) {
	if strings.Contains(r.Client, CheckClient) {
		return
	}
	l.check()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, r)
}

// check notes whether everything holds now. Beside a request that is being checked, another one says nothing new.
func (l *requests) check() {
	if !l.checking.TryLock() {
		return
	}
	defer l.checking.Unlock()
	n, holds := l.state()
	if holds != nil && holds() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.held = n
	}
}

// state returns the number of requests so far, and the check.
func (l *requests) state() (int, func() bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.all), l.holds
}

// begin forgets all requests. With holds, each request from now on is preceded by a check.
func (l *requests) begin(holds func() bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all, l.holds = nil, holds
}

// heldBefore returns the number of requests before the last moment at which everything held.
func (l *requests) heldBefore() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.held
}

// list returns the requests so far.
func (l *requests) list() []explore.Request {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.all)
}
