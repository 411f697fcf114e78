package brewers

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/simulators/sim"
)

// object is a JSON object of the API: a response, or the expected state.
type object = map[string]any

// brewer carries out a plan and records what it should lead to. It is a sim.Actor.
type brewer struct {
	number int
	plan   Plan
	caller *sim.Caller
	sim    *simulation
	next   int // index of the next action

	profile   object
	mu        sync.Mutex     // protects batches: strangers read them while their brewer, the only writer, adds one
	batches   map[int]*batch // by index in the plan
	reminders map[int]*reminder
	phones    map[int]*phone
	deleted   bool
}

// batch is a batch as its brewer knows it: its fields and its events must be exactly these.
type batch struct {
	id     string
	want   object
	events []object
}

// reminder is a reminder as its brewer knows it. If it was cancelled as it fell due, its status is that of the
// response.
type reminder struct {
	id         string
	batch      *batch
	want       object
	fellDue    bool    // it fell due before it was known to be cancelled
	recipients []phone // those that get its push when it is sent
}

// phone is a registered device with its current token.
type phone struct {
	id, platform, token string
}

// simulation is the state that brewers share.
type simulation struct {
	cfg          Config
	clock        *sim.Clock
	ledger       *sim.Ledger
	newPushToken PushTokens
	brewers      []*brewer
	byNumber     map[int]*brewer // those of the shard

	schedulers int // instances of the reminder scheduler; 0 when this process does not run them
}

// PushTokens returns a new push token of the app on a phone at a time; the previous one becomes invalid.
type PushTokens func(phone, platform string, at time.Duration) (string, error)

func newBrewer(s *simulation, number int, plan Plan, caller *sim.Caller) *brewer {
	return &brewer{
		number: number, plan: plan, caller: caller, sim: s, batches: map[int]*batch{}, reminders: map[int]*reminder{},
		phones: map[int]*phone{},
	}
}

// Next returns the time of the brewer's next action.
func (b *brewer) Next() (time.Duration, bool) {
	if b.next == len(b.plan.Actions) {
		return 0, false
	}
	return b.plan.Actions[b.next].At, true
}

// Act performs it and the brewer's other actions of the same time, concurrently with other brewers.
func (b *brewer) Act(ctx context.Context) error {
	for now := b.plan.Actions[b.next].At; b.next < len(b.plan.Actions) && b.plan.Actions[b.next].At == now; b.next++ {
		d := b.plan.Actions[b.next]
		if err := b.perform(ctx, d); err != nil {
			return fmt.Errorf("%s, %v after the start: %w", b.plan.UserID, d.At, err)
		}
		if label := d.Kind.label(); label != "" {
			b.sim.ledger.CountAction(label)
		}
	}
	return nil
}

func (b *brewer) perform(ctx context.Context, d Action) error {
	switch d.Kind {
	case SignUp, ChangeSettings:
		return b.saveProfile(ctx, d)
	case RegisterPhone:
		return b.registerPhone(ctx, d)
	case RemovePhone:
		return b.removePhone(ctx, d)
	case StartBatch:
		return b.startBatch(ctx, d)
	case AddNote, AddPhoto:
		return b.addNote(ctx, d)
	case Bottle:
		return b.bottle(ctx, d)
	case ChangeStatus:
		return b.changeStatus(ctx, d)
	case Share, Unshare:
		return b.share(ctx, d)
	case DeleteAccount:
		return b.deleteAccount(ctx)
	}
	return b.performReminderOrRead(ctx, d)
}

// performReminderOrRead performs actions about reminders and reads.
func (b *brewer) performReminderOrRead(ctx context.Context, d Action) error {
	switch d.Kind {
	case SetReminder:
		return b.setReminder(ctx, d)
	case CancelReminder:
		return b.cancelReminder(ctx, d)
	case ReminderDue:
		b.recordDue(d)
	case ReadTimeline:
		return b.readTimeline(ctx, d)
	case ReadUpcoming:
		return b.readUpcoming(ctx, d)
	case ReadStranger:
		return b.readStranger(ctx, d)
	case Export:
		return b.export(ctx)
	}
	return nil
}

// expectedTimes returns the times that the backend must have set now; none if the simulation does not control the
// clock.
func (b *brewer) expectedTimes(names ...string) object {
	times := object{}
	if b.sim.clock.ControlsBackend() {
		for _, name := range names {
			times[name] = formatTime(b.sim.clock.Now())
		}
	}
	return times
}

// formatTime formats a time as the API does.
func formatTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }
