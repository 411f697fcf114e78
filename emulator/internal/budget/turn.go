package budget

import (
	"context"
	"runtime"
	"time"
)

const (
	// short is how long a request works before it is a long one. A hundred requests at once that take just so long hold
	// up another one for as long as all of them, shared by the processors; most requests take a tenth of it.
	short = 500 * time.Microsecond
	// slice is how long a long request works before it lets others work.
	slice = 2 * time.Millisecond
	// patience is how long a long request waits for its turn amid its work. Then it works for a slice without one: who
	// has the turn may wait for something that this request holds.
	patience = 100 * time.Millisecond
	// patienceAtFirst is how long it waits before its work, when it holds nothing that others may wait for.
	patienceAtFirst = 5 * time.Second
)

// turns share the processors among the long requests of a process. All but one processor work for them, so that a short
// request finds one that is free, or becomes free soon. They come in the order in which they asked.
type turns chan struct{}

func newTurns() turns { return make(turns, max(1, runtime.GOMAXPROCS(0)-1)) }

// take waits for a turn, and reports whether it was had in that time and before ctx ended.
func (t turns) take(ctx context.Context, patience time.Duration) bool {
	select {
	case t <- struct{}{}:
		return true
	default:
	}
	late := time.NewTimer(patience)
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

// Yield lets other long requests work once this one has worked for a slice of 2 ms. Step calls it; other work calls it
// every 100 µs or so.
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
		b.takeTurn(patience)
	}
}

// slice is how long the request may work before it waits for a turn.
func (b *Budget) slice() time.Duration {
	if b.long {
		return slice
	}
	return short
}

// TakeTurn waits for one of the turns of long requests, after those that wait already: for work that is known to be
// long before its first step. The caller holds nothing that other requests wait for. It waits for 5 s at most, and then
// the work goes on without.
func (b *Budget) TakeTurn() {
	if b != nil && b.limits.Pool != nil {
		b.takeTurn(patienceAtFirst)
	}
}

func (b *Budget) takeTurn(patience time.Duration) {
	b.EndTurn()
	b.turn = b.limits.Pool.turns.take(b.Context(), patience)
	b.since, b.long = time.Now(), true
}

// EndTurn lets other long requests work. Call it before a wait that may be long, such as that for a client to take an
// answer. Close calls it.
func (b *Budget) EndTurn() {
	if b != nil && b.turn {
		b.turn = false
		b.limits.Pool.turns.end()
	}
}
