package http1

import (
	"context"
	"net"
	"net/http"
	"runtime"
	"time"
)

const (
	// paceWindow is the number of requests of one connection that are timed together.
	paceWindow = 8
	// fastWindow is the time for paceWindow requests below which a connection is fast: 10,000 requests a second.
	fastWindow = paceWindow * 100 * time.Microsecond
)

// pace measures how fast requests follow each other on one connection, which one goroutine serves. If a client
// pipelines its requests, that goroutine never blocks, so Go's scheduler preempts it only every 10 ms; a hundred such
// connections would delay all others for half a second. So a fast connection yields before each request.
type pace struct {
	requests int
	since    time.Time // start of the window
	fast     bool
}

// next counts a request and reports whether the connection is fast.
func (p *pace) next(now time.Time) bool {
	if p.requests++; p.requests%paceWindow == 0 {
		p.fast = now.Sub(p.since) < fastWindow
		p.since = now
	}
	return p.fast
}

type paceKey struct{}

// withPace gives each connection of net/http a pace. It is an [http.Server]'s ConnContext.
func withPace(ctx context.Context, _ net.Conn) context.Context {
	return context.WithValue(ctx, paceKey{}, new(pace))
}

// withFairness yields to other requests before each request of a fast connection of net/http. HTTP/2 has a goroutine
// for each request and does not need it.
func withFairness(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p, ok := r.Context().Value(paceKey{}).(*pace); ok && r.ProtoMajor == 1 && p.next(time.Now()) {
			runtime.Gosched()
		}
		h.ServeHTTP(w, r)
	})
}
