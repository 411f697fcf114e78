package webconsole

import (
	"net/http"
	"sync/atomic"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
)

// How much a stream of requests holds for a browser that reads slowly. What is beyond is lost.
const (
	maxQueued      = 1024
	maxQueuedBytes = 8 << 20
)

// requestStream is a stream of requests.
type requestStream struct {
	bodies bool
	queue  chan *request
	bytes  atomic.Int64 // in the queue
	lost   atomic.Int64 // requests since the last report
}

// lostEvents reports requests that the browser was too slow for.
type lostEvents struct {
	Count int64 `json:"count"`
}

// serveRequests streams the requests to both clouds as they are answered, with their bodies if bodies=true.
func (c *console) serveRequests(w http.ResponseWriter, r *http.Request) {
	s := &requestStream{bodies: r.URL.Query().Get("bodies") == "true", queue: make(chan *request, maxQueued)}
	c.serveStream(w, r, s, s.run)
}

func (s *requestStream) wantsRequests() bool   { return true }
func (s *requestStream) wantsBodies() bool     { return s.bodies }
func (s *requestStream) change(control.Change) {}

func (s *requestStream) request(r *request) {
	size := r.size()
	if s.bytes.Add(size) <= maxQueuedBytes {
		select {
		case s.queue <- r:
			return
		default:
		}
	}
	s.bytes.Add(-size)
	s.lost.Add(1)
}

// run writes the requests until done is closed or the browser does not read any more.
func (s *requestStream) run(out *stream, done <-chan struct{}) {
	alive := time.NewTicker(heartbeat)
	defer alive.Stop()
	for {
		var err error
		select {
		case <-done:
			return
		case <-alive.C:
			err = out.comment("alive")
		case r := <-s.queue:
			err = s.write(out, r)
		}
		if err != nil {
			return
		}
	}
}

// write writes a request, and sends it if no other waits. It reports lost requests.
func (s *requestStream) write(out *stream, r *request) error {
	s.bytes.Add(-r.size())
	shown := *r
	if !s.bodies {
		shown.bodies = nil // they are for another stream
	}
	if err := out.event("", &shown); err != nil {
		return err
	}
	if lost := s.lost.Swap(0); lost > 0 {
		if err := out.event("lost", lostEvents{lost}); err != nil {
			return err
		}
	}
	if len(s.queue) > 0 {
		return nil
	}
	return out.controller.Flush()
}
