package store

import (
	"cmp"
	"context"
	"sync"
	"sync/atomic"
)

// A Gate protects what many updates use and few change: the definition of a table or a container. Updates pass it
// concurrently ([Latches.Within]). A change of the definition has it exclusively ([Latches.Alone]): it waits for the
// updates inside; updates that arrive during it wait, and are let in before the next change. Without updates that pass
// it, a gate is a lock whose waits end with their context. It is safe for concurrent use.
type Gate struct {
	number uint64 // the order in which several gates are taken
	rank   LockRank
	// changes counts the updates that ran alone and may have changed the definition. An optimistic update conflicts if
	// the count has changed.
	changes atomic.Uint64
	// inside is the number of updates inside; closed is added to it while an update is alone or waits to be.
	inside  atomic.Int64
	drained chan struct{} // receives when inside may have become equal to closed
	turn    chan struct{} // holds a value while an update is alone or waits to be

	mu       sync.Mutex
	queued   int64         // number of updates that wait for the gate to open
	reopened chan struct{} // closed when the gate opens; nil while it is open
}

// closed is greater than any number of updates inside.
const closed = 1 << 32

// NewGate returns an open gate.
func (s *Store) NewGate() *Gate { return newGate(s.gates.Add(1)) }

func newGate(number uint64) *Gate {
	return &Gate{number: number, drained: make(chan struct{}, 1), turn: make(chan struct{}, 1)}
}

func compareGates(a, b *Gate) int { return cmp.Compare(a.number, b.number) }

func (g *Gate) enterOrClose(ctx context.Context, l *Latches) error {
	if l.alone {
		return g.Close(ctx)
	}
	return g.Enter(ctx)
}

func (g *Gate) leaveOrOpen(l *Latches) {
	switch {
	case !l.alone:
		g.Leave()
	case l.keeps:
		g.openUnchanged()
	default:
		g.Open()
	}
}

// Enter waits until the gate is open and passes it. If it returns nil, the caller must call Leave. Errors: the cause of
// ctx.
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

// queue waits for the gate to open. The one that opens it adds the waiting ones to inside.
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

// Leave undoes Enter.
func (g *Gate) Leave() {
	unlocked(g, g.rank)
	g.leave()
}

func (g *Gate) leave() {
	if g.inside.Add(-1) == closed {
		select {
		case g.drained <- struct{}{}:
		default: // a value is already there
		}
	}
}

// Close waits until the caller is alone inside. If it returns nil, the caller must call Open. Errors: the cause of ctx.
func (g *Gate) Close(ctx context.Context) error {
	willLock(g.rank)
	select {
	case g.turn <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	g.shut()
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

// TryClose closes the gate like Close if nobody is inside or waits to be alone, and reports whether it did.
func (g *Gate) TryClose() bool {
	select {
	case g.turn <- struct{}{}:
	default:
		return false
	}
	if g.shut(); g.inside.Load() != closed {
		g.reopen()
		return false
	}
	locked(g, g.rank)
	return true
}

// shut makes updates that arrive wait until reopen. The caller has the turn.
func (g *Gate) shut() {
	g.mu.Lock()
	g.reopened = make(chan struct{})
	g.inside.Add(closed)
	g.mu.Unlock()
}

// Inside returns the number of updates inside, without the one that waits to be alone.
func (g *Gate) Inside() int64 {
	return g.inside.Load() % closed
}

// Open undoes Close.
func (g *Gate) Open() {
	g.changes.Add(1)
	g.openUnchanged()
}

// openUnchanged is Open if the definition has not changed.
func (g *Gate) openUnchanged() {
	unlocked(g, g.rank)
	g.reopen()
}

// reopen lets in the waiting updates, before anyone can close the gate again.
func (g *Gate) reopen() {
	g.mu.Lock()
	g.inside.Add(g.queued - closed)
	g.queued = 0
	close(g.reopened)
	g.reopened = nil
	g.mu.Unlock()
	<-g.turn
}
