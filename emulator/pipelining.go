package emulator

import (
	"context"
	"net"
	"net/http"
	"runtime"
	"time"
)

const (
	// paceWindow is how many requests of one connection are looked at together.
	paceWindow = 8
	// fastWindow is the time in which paceWindow requests mean that the connection is fast: 10,000 requests a second.
	fastWindow = paceWindow * 100 * time.Microsecond
)

// pace is how fast requests follow each other on one connection of HTTP/1.1. One goroutine serves it. A client that
// pipelines its requests never lets that goroutine wait, so that Go's scheduler takes the processor from it only every
// 10 ms; a hundred such connections would hold up everybody else for half a second.
type pace struct {
	requests int
	since    time.Time // start of the window
	fast     bool
}

// next counts a request, and reports whether the connection is fast.
func (p *pace) next(now func() time.Time) bool {
	if p.requests++; p.requests%paceWindow == 0 {
		end := now()
		p.fast = end.Sub(p.since) < fastWindow
		p.since = end
	}
	return p.fast
}

type paceKey struct{}

// withPace gives the requests of a connection their pace. It is an [http.Server]'s ConnContext.
func withPace(ctx context.Context, _ net.Conn) context.Context {
	return context.WithValue(ctx, paceKey{}, new(pace))
}

// fairly lets other requests work before each request of a fast connection. HTTP/2 has a goroutine for each request,
// and needs no help.
func fairly(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p, ok := r.Context().Value(paceKey{}).(*pace); ok && r.ProtoMajor == 1 && p.next(time.Now) {
			runtime.Gosched()
		}
		h.ServeHTTP(w, r)
	})
}
