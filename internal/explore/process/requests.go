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
	check    *invariantCheck // nil: not checked
	all      []explore.Request
	held     int      // the number of requests before the last moment at which everything held
	before   snapshot // at that moment
	after    snapshot // at the first one after it
}

// invariantCheck checks a run while it is in progress. It sends requests itself.
type invariantCheck struct {
	holds func() bool // whether everything holds now
	items func() snapshot
}

// snapshot is the items that the check is about, by their names.
type snapshot struct {
	items map[string]string
	taken bool
	known bool // false: there are too many
}

// add records a request, before it is done. All earlier requests of a client that sends one at a time are done then.
func (l *requests) add(r explore.Request) {
	if strings.Contains(r.Client, CheckClient) {
		return
	}
	l.look()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, r)
}

// look notes whether everything holds now. Beside a request that is being checked, another one says nothing new.
func (l *requests) look() {
	if !l.checking.TryLock() {
		return
	}
	defer l.checking.Unlock()
	n, check, seen := l.state()
	if check == nil {
		return
	}
	if holds := check.holds(); holds || !seen {
		items := check.items()
		l.mu.Lock()
		defer l.mu.Unlock()
		if holds {
			l.held, l.before, l.after = n, items, snapshot{}
		} else {
			l.after = items
		}
	}
}

// state returns the number of requests so far, the check, and whether the items after the break are known.
func (l *requests) state() (n int, check *invariantCheck, seen bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.all), l.check, l.after.taken
}

// begin forgets all requests. With check, each request from now on is preceded by one.
func (l *requests) begin(check *invariantCheck) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all, l.check = nil, check
}

// markBreak marks, in a list of the requests of a run that ended with something broken, the request after which it
// stayed broken, with the items before and after it.
func (l *requests) markBreak(all []explore.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.check == nil || l.held >= len(all) {
		return
	}
	if !l.after.taken {
		l.after = l.check.items()
	}
	all[l.held].Breaks = true
	if l.after.known && (l.before.known || !l.before.taken) {
		all[l.held].Changed = explore.Changes(l.before.items, l.after.items)
	}
}

// list returns the requests so far.
func (l *requests) list() []explore.Request {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.all)
}
