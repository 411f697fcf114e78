package sim

import (
	"container/heap"
	"context"
	"time"

	"golang.org/x/sync/errgroup"
)

// Actor acts at moments of a simulation.
type Actor interface {
	// Next returns the moment of its next action, not before its last one; false when it has none left.
	Next() (moment time.Duration, ok bool)
	// Act performs the action that is due. An error ends the simulation.
	Act(ctx context.Context) error
}

// Runner runs the actors of a simulation. Clock is required.
type Runner struct {
	Clock       *Clock
	Concurrency int                        // actors that act concurrently; default 8
	Stop        <-chan struct{}            // closed: no further moment starts; may be nil
	Progress    func(moment time.Duration) // called after each moment; may be nil
}

const defaultConcurrency = 8

// Run advances the clock to each moment with an action, in order, and makes all actors of a moment act concurrently.
// It returns the last moment, when no action is left or when it is stopped.
func (s Runner) Run(ctx context.Context, actors ...Actor) (time.Duration, error) {
	var queue eventQueue
	for order, a := range actors {
		queue.schedule(order, a)
	}
	var now time.Duration
	for len(queue) > 0 && !s.stopped() {
		now = queue[0].at
		if err := s.Clock.WaitUntil(ctx, now); err != nil {
			return now, err
		}
		var due []entry
		for len(queue) > 0 && queue[0].at <= now {
			due = append(due, heap.Pop(&queue).(entry))
		}
		if err := s.actAll(ctx, due); err != nil {
			return now, err
		}
		for _, e := range due {
			queue.schedule(e.order, e.actor)
		}
		if s.Progress != nil {
			s.Progress(now)
		}
	}
	return now, nil
}

func (s Runner) stopped() bool {
	select {
	case <-s.Stop:
		return true
	default:
		return false
	}
}

func (s Runner) actAll(ctx context.Context, due []entry) error {
	limit := s.Concurrency
	if limit == 0 {
		limit = defaultConcurrency
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(limit)
	for _, e := range due {
		g.Go(func() error { return e.actor.Act(ctx) })
	}
	return g.Wait()
}

// entry is an actor and the moment of its next action.
type entry struct {
	at    time.Duration
	order int // index of the actor, to order actors of the same moment
	actor Actor
}

// eventQueue is a heap of entries, the earliest first.
type eventQueue []entry

func (a eventQueue) Len() int      { return len(a) }
func (a eventQueue) Swap(i, j int) { a[i], a[j] = a[j], a[i] }
func (a eventQueue) Less(i, j int) bool {
	if a[i].at != a[j].at {
		return a[i].at < a[j].at
	}
	return a[i].order < a[j].order
}

// Push and Pop implement heap.Interface; use schedule.
func (a *eventQueue) Push(x any) { *a = append(*a, x.(entry)) }

// Pop removes the last entry of the slice, as container/heap requires.
func (a *eventQueue) Pop() any {
	last := len(*a) - 1
	e := (*a)[last]
	*a = (*a)[:last]
	return e
}

// schedule adds an actor's next action, if it has one.
func (a *eventQueue) schedule(order int, actor Actor) {
	if at, ok := actor.Next(); ok {
		heap.Push(a, entry{at: at, order: order, actor: actor})
	}
}
