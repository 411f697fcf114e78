package brewers

import (
	"context"
	"fmt"
	"time"

	"github.com/tabletop-db/tabletop/simulators/sim"
)

// thing is a JSON object of the API: what was answered, or what must be.
type thing = map[string]any

// brewer is a plan that is being carried out, and what its owner knows of it. It is a sim.Actor.
type brewer struct {
	plan   Plan
	caller *sim.Caller
	town   *town
	next   int // which deed

	profile   thing
	batches   map[int]*batch
	reminders map[int]*reminder
	phones    map[int]*phone
	left      bool
}

// batch is what its brewer knows of a batch: its fields and its events must be exactly these.
type batch struct {
	id     string
	want   thing
	events []thing
}

// reminder is what its brewer knows of it. The status of one that was cancelled as it fell due is what the answer said.
type reminder struct {
	id    string
	batch *batch
	want  thing
	due   bool    // it fell due before it was known to be cancelled
	rings []phone // those that it must ring on when it is sent
}

// phone is a device that is registered, with the token that it has now.
type phone struct {
	id, platform, token string
}

// town is what brewers share.
type town struct {
	clock   *sim.Clock
	ledger  *sim.Ledger
	push    PushTokens
	brewers []*brewer

	schedulers int // instances of the reminder scheduler; 0 when that is not ours to run
}

// PushTokens gives the app on a phone a push token at this moment: another one each time, and the last one ends.
type PushTokens func(phone, platform string, at time.Duration) (string, error)

func newBrewer(t *town, plan Plan, caller *sim.Caller) *brewer {
	return &brewer{
		plan: plan, caller: caller, town: t, batches: map[int]*batch{}, reminders: map[int]*reminder{}, phones: map[int]*phone{},
	}
}

// Next is the moment of the brewer's next deed.
func (b *brewer) Next() (time.Duration, bool) {
	if b.next == len(b.plan.Deeds) {
		return 0, false
	}
	return b.plan.Deeds[b.next].At, true
}

// Act does it, and whatever else the brewer does at that moment, while others do theirs.
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

// remembers does what is about reminders, and what only reads.
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

// when are times that the backend has to have set at this moment; none where the simulation does not move its clock.
func (b *brewer) when(names ...string) thing {
	times := thing{}
	if b.town.clock.Moves() {
		for _, name := range names {
			times[name] = stamp(b.town.clock.Now())
		}
	}
	return times
}

// stamp is a time as the API has it.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }
