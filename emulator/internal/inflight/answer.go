package inflight

import (
	"net/http"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/poison"
)

// chunk is the size in bytes of one write of a large response.
const chunk = 64 << 10

// response is an http.ResponseWriter whose client must read what is written in time.
type response struct {
	http.ResponseWriter
	tracker *Tracker
	account budget.Account
	began   time.Time
	wrote   bool // a status or a part of the body

	mu       sync.Mutex
	writing  bool // it is listed and may be ended
	progress time.Time
}

// PanicHandler responds to a request whose handler panicked, and reports the panic. w is nil if a response has already
// begun.
type PanicHandler func(w http.ResponseWriter, r *http.Request, reason any, stack []byte)

// Wrap returns a handler whose requests the tracker counts, and whose responses clients must read in time: see
// [Limits]. A panic other than http.ErrAbortHandler is passed to fault.
func (t *Tracker) Wrap(h http.Handler, fault PanicHandler) http.Handler {
	memory := poison.Pool{New: func() any { return new(response) }}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := memory.Get().(*response)
		a.ResponseWriter, a.began, a.wrote, a.tracker = w, time.Now(), false, t
		a.account.Open(t.limits.Pool, &t.waitPolicy)
		defer func() { // also if the handler panics
			a.account.Force(0)
			a.ResponseWriter = nil
			memory.Put(a)
		}()
		defer a.recoverPanic(r, fault)
		h.ServeHTTP(a, r)
	})
}

// recoverPanic responds to a request whose handler panicked. If the response has begun, the connection is closed, so
// that a partial response does not look complete.
func (a *response) recoverPanic(r *http.Request, fault PanicHandler) {
	reason := recover()
	if reason == nil {
		return
	}
	if reason == http.ErrAbortHandler {
		panic(reason)
	}
	if a.wrote {
		fault(nil, r, reason, debug.Stack())
		panic(http.ErrAbortHandler)
	}
	clear(a.Header())
	fault(a, r, reason, debug.Stack())
}

// Unwrap implements what http.ResponseController needs.
func (a *response) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (a *response) WriteHeader(status int) {
	a.wrote = true
	a.ResponseWriter.WriteHeader(status)
}

// Write implements io.Writer. It fails if the client does not read for as long as the limits say.
func (a *response) Write(b []byte) (int, error) {
	a.wrote = true
	if len(b) <= chunk && !a.tracker.isCrowded() {
		if now := time.Now(); now.Sub(a.began) > a.tracker.limits.StallTimeout/2 { // the server's own deadline may be near
			a.renew(now)
		}
		return a.ResponseWriter.Write(b)
	}
	if n := int64(len(b)); n > max(chunk, a.account.Bytes()) {
		a.account.Force(n)
	}
	a.tracker.responses.add(a)
	defer a.tracker.responses.remove(a)
	written := 0
	for len(b) > 0 {
		a.renew(time.Now())
		n, err := a.ResponseWriter.Write(b[:min(chunk, len(b))])
		if written += n; err != nil {
			return written, err
		}
		b = b[n:]
		runtime.Gosched() // a fast client never lets this goroutine block, so other goroutines would wait
	}
	a.renew(time.Now()) // the server flushes the rest
	return written, nil
}

// renew records progress, and extends the client's deadline.
func (a *response) renew(now time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.progress = now
	// writers in tests have none
	_ = http.NewResponseController(a.ResponseWriter).SetWriteDeadline(now.Add(a.tracker.limits.StallTimeout))
}

// endIfStalled ends the response if it has made no progress since that time.
func (a *response) endIfStalled(since time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.writing && a.progress.Before(since) {
		_ = http.NewResponseController(a.ResponseWriter).SetWriteDeadline(since) // writers in tests have none
	}
}

// responses are the responses in progress that may be ended: large ones, and small ones that were begun while much
// memory was in use.
type responses struct {
	mu   sync.Mutex
	open map[*response]struct{}
}

func (l *responses) add(a *response) {
	a.mu.Lock()
	a.writing, a.progress = true, time.Now()
	a.mu.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open == nil {
		l.open = map[*response]struct{}{}
	}
	l.open[a] = struct{}{}
}

func (l *responses) remove(a *response) {
	l.mu.Lock()
	delete(l.open, a)
	l.mu.Unlock()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.writing = false
}

// endStalled ends the responses that have made no progress since that time.
func (l *responses) endStalled(since time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for a := range l.open {
		a.endIfStalled(since)
	}
}
