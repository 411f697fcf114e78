package webconsole

import (
	"net/http"
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
)

// changeInterval is how often a stream may repeat a change, by the machine's clock.
const changeInterval = 250 * time.Millisecond

// maxPending is how many different changes a stream holds. More become one change of everything.
const maxPending = 1000

// changeStream is a stream of changes.
type changeStream struct {
	signal chan struct{} // has an element if there are pending changes

	mu      sync.Mutex
	pending map[control.Change]struct{}
}

// serveChanges streams what changes, each change at most once in changeInterval, so that pages read it again.
func (c *console) serveChanges(w http.ResponseWriter, r *http.Request) {
	s := newChangeStream()
	c.serveStream(w, r, s, s.run)
}

func newChangeStream() *changeStream {
	return &changeStream{signal: make(chan struct{}, 1), pending: map[control.Change]struct{}{}}
}

func (s *changeStream) wantsRequests() bool { return false }
func (s *changeStream) wantsBodies() bool   { return false }
func (s *changeStream) request(*request)    {}

func (s *changeStream) change(c control.Change) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.pending) >= maxPending {
		clear(s.pending)
		c = control.Change{Kind: control.SchemaChange}
	}
	s.pending[c] = struct{}{}
	select {
	case s.signal <- struct{}{}:
	default:
	}
}

// take returns the pending changes.
func (s *changeStream) take() []control.Change {
	s.mu.Lock()
	defer s.mu.Unlock()
	taken := make([]control.Change, 0, len(s.pending))
	for c := range s.pending {
		taken = append(taken, c)
	}
	clear(s.pending)
	return taken
}

// run writes the changes until done is closed or the browser does not read any more.
func (s *changeStream) run(out *stream, done <-chan struct{}) {
	alive := time.NewTicker(heartbeat)
	defer alive.Stop()
	for {
		select {
		case <-done:
			return
		case <-alive.C:
			if out.comment("alive") != nil {
				return
			}
			continue
		case <-s.signal:
		}
		if s.write(out) != nil {
			return
		}
		select {
		case <-done:
			return
		case <-time.After(changeInterval):
		}
	}
}

// write writes the pending changes.
func (s *changeStream) write(out *stream) error {
	for _, c := range s.take() {
		if err := out.event("", c); err != nil {
			return err
		}
	}
	return out.controller.Flush()
}
