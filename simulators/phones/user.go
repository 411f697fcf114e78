package phones

import (
	"context"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tabletop-db/tabletop/simulators/sim"
)

// user carries out a plan. It is a sim.Actor.
type user struct {
	run     *run
	plan    Plan
	id      string
	caller  *sim.Caller
	phones  []*phone
	deleted bool // requested the deletion of everything

	day    int     // the next day to generate
	events []Event // generated events that are still to come, in order
	jobs   int     // number of completed jobs
}

// Next generates days until there is an event.
func (u *user) Next() (time.Duration, bool) {
	for len(u.events) == 0 {
		if time.Duration(u.day)*day > u.run.cfg.Duration+day {
			return 0, false
		}
		u.events = append(u.events, u.plan.Day(u.day)...)
		u.day++
	}
	return u.events[0].At, u.events[0].At <= u.run.cfg.Duration
}

// Act performs all events of the same time concurrently.
func (u *user) Act(ctx context.Context) error {
	at, jobs := u.events[0].At, 0
	acting := map[int]Event{} // by phone
	deleting := false
	for ; len(u.events) > 0 && u.events[0].At == at; u.events = u.events[1:] {
		switch e := u.events[0]; {
		case e.Kind == Job:
			jobs++
		case e.Kind == Delete:
			deleting = !u.deleted
		case !u.deleted && u.phones[e.Phone].applies(e):
			acting[e.Phone] = e
		}
	}
	expected := u.expectPushes(acting)
	g, ctx := errgroup.WithContext(ctx)
	for n, e := range acting {
		g.Go(func() error { return u.phones[n].perform(ctx, e) })
	}
	if deleting {
		g.Go(func() error { return u.deleteAccount(ctx) })
	}
	if jobs > 0 { // two jobs at once count as one: the results of their pushes could not be told apart
		g.Go(func() error { return u.push(ctx, expected) })
	}
	return g.Wait()
}

// deleteAccount is PE-R7.
func (u *user) deleteAccount(ctx context.Context) error {
	u.deleted = true
	u.run.ledger.CountAction(actionDelete)
	_, err := u.caller.Call(ctx, sim.Call{Method: http.MethodDelete, Path: "/devicetoken/devices"})
	for _, p := range u.phones {
		p.device, p.loggedIn = nil, false
	}
	return err
}
