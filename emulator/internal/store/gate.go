package store

import (
	"cmp"
	"context"
	"sync"
	"sync/atomic"
)

// A Gate stands for what many updates go by and few change: the definition of a table or a container. Updates pass it
// beside each other ([Latches.Within]); a change of the definition has it for itself ([Latches.Alone]): it waits for
// those inside, and those who come meanwhile wait for it and are let in before the next change. Where no updates pass
// it, it serves as a lock whose waits end with their context. It is safe for concurrent use.
type Gate struct {
	number uint64 // by which those who need several take them
	rank   LockRank
	// changes counts the updates that ran alone. An optimistic update that finds another count does not hold any more.
	changes atomic.Uint64
	// inside is how many are inside, with closed added while somebody is alone or waits for that.
	inside  atomic.Int64
	drained chan struct{} // receives when inside may have become closed alone
	turn    chan struct{} // holds a value while somebody is alone or waits for that

	mu       sync.Mutex
	queued   int64         // how many wait for the gate to open
	reopened chan struct{} // closed when the gate opens; nil while it is open
}

// closed is more than ever are inside.
const closed = 1 << 32

// NewGate returns an open gate.
func (s *Store) NewGate() *Gate { return newGate(s.gates.Add(1)) }

func newGate(number uint64) *Gate {
	return &Gate{number: number, drained: make(chan struct{}, 1), turn: make(chan struct{}, 1)}
}

func compareGates(a, b *Gate) int { return cmp.Compare(a.number, b.number) }

func (g *Gate) pass(ctx context.Context, alone bool) error {
	if alone {
		return g.Close(ctx)
	}
	return g.Enter(ctx)
}

func (g *Gate) back(alone bool) {
	if alone {
		g.Open()
		return
	}
	g.Leave()
}

// Enter lets the caller in beside others; Leave must follow where it returns nil. Errors: the cause of the context's
// end.
func (g *Gate) Enter(ctx context.Context) error {
	willLock(g.rank)
	if g.inside.Add(1) < closed {
		locked(g, g.rank)
		return nil
	}
	g.leave()
	err := g.queue(ctx)
	if err == nil {
		locked(g, g.rank)
	}
	return err
}

// queue waits for the gate to open. Who opens it counts those who wait in.
func (g *Gate) queue(ctx context.Context) error {
	g.mu.Lock()
	reopened := g.reopened
	if reopened == nil { // it opened just now, and cannot close while mu is held
		g.inside.Add(1)
		g.mu.Unlock()
		return nil
	}
	g.queued++
	g.mu.Unlock()
	select {
	case <-reopened:
		return nil
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.reopened == reopened {
		g.queued--
	} else {
		g.leave()
	}
	return context.Cause(ctx)
}

// Leave ends what Enter began.
func (g *Gate) Leave() {
	unlocked(g, g.rank)
	g.leave()
}

func (g *Gate) leave() {
	if g.inside.Add(-1) == closed {
		select {
		case g.drained <- struct{}{}:
		default: // it will be looked at anyway
		}
	}
}

// Close waits until the caller is alone inside; Open must follow where it returns nil. Errors: the cause of the
// context's end.
func (g *Gate) Close(ctx context.Context) error {
	willLock(g.rank)
	select {
	case g.turn <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	g.mu.Lock()
	g.reopened = make(chan struct{})
	g.inside.Add(closed)
	g.mu.Unlock()
	for g.inside.Load() != closed {
		select {
		case <-g.drained:
		case <-ctx.Done():
			g.reopen()
			return context.Cause(ctx)
		}
	}
	locked(g, g.rank)
	return nil
}

// Inside returns how many are inside, without who waits to be alone.
func (g *Gate) Inside() int64 {
	return g.inside.Load() % closed
}

// Open ends what Close began.
func (g *Gate) Open() {
	unlocked(g, g.rank)
	g.changes.Add(1)
	g.reopen()
}

// reopen lets in those who wait, before anybody can close the gate again.
func (g *Gate) reopen() {
	g.mu.Lock()
	g.inside.Add(g.queued - closed)
	g.queued = 0
	close(g.reopened)
	g.reopened = nil
	g.mu.Unlock()
	<-g.turn
}
