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
	holds func() bool // whether everything holds now; nil: not checked. It sends requests itself.

	checking sync.Mutex // held while holds is called
	mu       sync.Mutex
	all      []explore.Request
	held     int // the number of requests before the last moment at which everything held
}

// add records a request, before it is done. All earlier requests of a client that sends one at a time are done then.
func (l *requests) add(r explore.Request) {
	if strings.Contains(r.Client, CheckClient) {
		return
	}
	if l.holds != nil && l.checking.TryLock() { // beside another request that is checked, this one says nothing new
		if n := l.count(); l.holds() {
			l.held = n
		}
		l.checking.Unlock()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, r)
}

func (l *requests) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.all)
}

// clear forgets all requests.
func (l *requests) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = nil
}

// list returns the requests so far.
func (l *requests) list() []explore.Request {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.all)
}
