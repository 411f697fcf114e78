package brewers

import (
	"context"
	"fmt"
	"time"

	"github.com/tabletop-db/tabletop/simulators/sim"
)

// thing is a JSON object of the API: a response, or the expected state.
type thing = map[string]any

// brewer carries out a plan and records what it should lead to. It is a sim.Actor.
type brewer struct {
	plan   Plan
	caller *sim.Caller
	town   *town
	next   int // index of the next deed

	profile   thing
	batches   map[int]*batch
	reminders map[int]*reminder
	phones    map[int]*phone
	left      bool
}

// batch is a batch as its brewer knows it: its fields and its events must be exactly these.
type batch struct {
	id     string
	want   thing
	events []thing
}

// reminder is a reminder as its brewer knows it. If it was cancelled as it fell due, its status is that of the
// response.
type reminder struct {
	id    string
	batch *batch
	want  thing
	due   bool    // it fell due before it was known to be cancelled
	rings []phone // those that get its push when it is sent
}

// phone is a registered device with its current token.
type phone struct {
	id, platform, token string
}

// town is what brewers share.
type town struct {
	clock   *sim.Clock
	ledger  *sim.Ledger
	push    PushTokens
	brewers []*brewer

	schedulers int // instances of the reminder scheduler; 0 when this process does not run them
}

// PushTokens returns a new push token of the app on a phone at a time; the previous one becomes invalid.
type PushTokens func(phone, platform string, at time.Duration) (string, error)

func newBrewer(t *town, plan Plan, caller *sim.Caller) *brewer {
	return &brewer{
		plan: plan, caller: caller, town: t, batches: map[int]*batch{}, reminders: map[int]*reminder{},
		phones: map[int]*phone{},
	}
}

// Next returns the time of the brewer's next deed.
func (b *brewer) Next() (time.Duration, bool) {
	if b.next == len(b.plan.Deeds) {
		return 0, false
	}
	return b.plan.Deeds[b.next].At, true
}

// Act performs it and the brewer's other deeds of the same time, concurrently with other brewers.
func (b *brewer) Act(ctx context.Context) error {
	for now := b.plan.Deeds[b.next].At; b.next < len(b.plan.Deeds) && b.plan.Deeds[b.next].At == now; b.next++ {
		d := b.plan.Deeds[b.next]
		if err := b.does(ctx, d); err != nil {
			return fmt.Errorf("%s, %v after the start: %w", b.plan.UserID, d.At, err)
		}
		if said := d.Kind.did(); said != "" {
			b.town.ledger.Did(said)
		}
	}
	return nil
}

func (b *brewer) does(ctx context.Context, d Deed) error {
	switch d.Kind {
	case SignUp, Settle:
		return b.settle(ctx, d)
	case PickUp:
		return b.pickUp(ctx, d)
	case PutDown:
		return b.putDown(ctx, d)
	case Start:
		return b.start(ctx, d)
	case TakeNote, TakePhoto:
		return b.write(ctx, d)
	case Bottle:
		return b.bottle(ctx, d)
	case MoveOn:
		return b.moveOn(ctx, d)
	case Share, Unshare:
		return b.share(ctx, d)
	case Leave:
		return b.leave(ctx)
	}
	return b.remembers(ctx, d)
}

// remembers performs deeds about reminders, and reads.
func (b *brewer) remembers(ctx context.Context, d Deed) error {
	switch d.Kind {
	case Remind:
		return b.remind(ctx, d)
	case Cancel:
		return b.cancel(ctx, d)
	case FallDue:
		b.fallDue(d)
	case LookBack:
		return b.lookBack(ctx, d)
	case LookAhead:
		return b.lookAhead(ctx, d)
	case Peek:
		return b.peek(ctx, d)
	case TakeAway:
		return b.export(ctx)
	}
	return nil
}

// when returns the times that the backend must have set now; none if the simulation does not control the clock.
func (b *brewer) when(names ...string) thing {
	times := thing{}
	if b.town.clock.Moves() {
		for _, name := range names {
			times[name] = stamp(b.town.clock.Now())
		}
	}
	return times
}

// stamp formats a time as the API does.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }
