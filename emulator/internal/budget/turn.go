package budget

import (
	"context"
	"runtime"
	"time"
)

const (
	// turnThreshold is how long a request works before it counts as long. A hundred concurrent requests of this length
	// delay another one by their total, divided by the processors; most requests take a tenth of it.
	turnThreshold = 500 * time.Microsecond
	// timeSlice is how long a long request works before it yields.
	timeSlice = 2 * time.Millisecond
	// turnTimeout is how long a long request waits for its turn in the middle of its work. Then it works for a slice
	// without one, because the holder of the turn may wait for something that this request holds.
	turnTimeout = 100 * time.Millisecond
	// firstTurnTimeout is how long it waits before its work, when it holds nothing that others may wait for.
	firstTurnTimeout = 5 * time.Second
)

// turns share the processors among the long requests of a process: all but one, so that a short request finds a
// processor free, or soon free. Requests get turns in the order in which they asked.
type turns chan struct{}

func newTurns() turns { return make(turns, max(1, processors-1)) }

// processors is read before a program can change how many goroutines run at a time.
var processors = runtime.GOMAXPROCS(0)

// take waits for a turn, and reports whether it got one in that time and before ctx was done.
func (t turns) take(ctx context.Context, timeout time.Duration) bool {
	select {
	case t <- struct{}{}:
		return true
	default:
	}
	late := time.NewTimer(timeout)
	defer late.Stop()
	select {
	case t <- struct{}{}:
		return true
	case <-late.C:
		return false
	case <-ctx.Done():
		return false
	}
}

func (t turns) end() { <-t }

// Yield lets other long requests work if this one has worked for a slice of 2 ms. Step calls it; other work should call
// it every 100 µs or so.
func (b *Budget) Yield() {
	if b != nil {
		b.yield(time.Now())
	}
}

func (b *Budget) yield(now time.Time) {
	switch {
	case b.limits.Pool == nil:
	case b.since.IsZero():
		b.since = now
	case now.Sub(b.since) >= b.slice():
		b.takeTurn(turnTimeout)
	}
}

// slice returns how long the request may work before it waits for a turn.
func (b *Budget) slice() time.Duration {
	if b.waitedForTurn {
		return timeSlice
	}
	return turnThreshold
}

// TakeTurn waits for a turn before work that is known to be long. The caller must hold nothing that other requests wait
// for. After 5 s, the work starts without a turn.
func (b *Budget) TakeTurn() {
	if b != nil && b.limits.Pool != nil {
		b.takeTurn(firstTurnTimeout)
	}
}

func (b *Budget) takeTurn(timeout time.Duration) {
	b.EndTurn()
	b.hasTurn = b.limits.Pool.turns.take(b.Context(), timeout)
	b.since, b.waitedForTurn = time.Now(), true
}

// EndTurn releases the request's turn. Call it before a wait that may be long, such as for a client to read a response.
// Close calls it.
func (b *Budget) EndTurn() {
	if b != nil && b.hasTurn {
		b.hasTurn = false
		b.limits.Pool.turns.end()
	}
}
