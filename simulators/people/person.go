package people

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/tabletop-db/tabletop/backend/notification"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// person carries out a plan and records what it should lead to. It is a sim.Actor.
type person struct {
	run    *run
	plan   Plan
	id     string
	next   int // index of the next deed
	caller *sim.Caller

	service *sim.Caller // the service that enqueues what the person does
	patient *sim.Caller // the same, losing no response

	inbox     inbox
	wishes    []wish // ordered by time
	phones    []*phone
	dismissed map[notification.ID]notification.Notification
}

// Next returns the time of the person's next deed.
func (p *person) Next() (time.Duration, bool) {
	if p.next == len(p.plan.Deeds) {
		return 0, false
	}
	return p.plan.Deeds[p.next].At, true
}

// Act performs it and the person's other deeds of the same time, concurrently with other people.
func (p *person) Act(ctx context.Context) error {
	for now := p.plan.Deeds[p.next].At; p.next < len(p.plan.Deeds) && p.plan.Deeds[p.next].At == now; p.next++ {
		d := p.plan.Deeds[p.next]
		if err := p.does(ctx, d); err != nil {
			return fmt.Errorf("%s, %v after the start: %w", p.id, d.At, err)
		}
		p.run.ledger.Did(d.Kind.did())
	}
	return nil
}

func (p *person) does(ctx context.Context, d Deed) error {
	switch d.Kind {
	case Tell:
		return p.tell(ctx, d)
	case Look:
		return p.look(ctx, d)
	case ReadAll:
		_, err := p.caller.Call(ctx, sim.Call{Method: http.MethodPost, Path: "/notification/notifications/read"})
		return err
	case Fly, Sleep, Switch:
		return p.change(ctx, d)
	}
	return p.handle(ctx, d)
}

// list is a page of the notification centre.
type list struct {
	Notifications []notification.Notification
	Cursor        string
}

// look reads the newest entry, and sometimes dismisses the oldest one on the page.
func (p *person) look(ctx context.Context, d Deed) error {
	var page list
	if _, err := p.caller.Call(ctx, sim.Call{Method: http.MethodGet, Path: "/notification/notifications?limit=10",
		Out: &page}); err != nil {
		return err
	}
	if len(page.Notifications) == 0 {
		return nil
	}
	if _, err := p.mark(ctx, page.Notifications[0].ID, "read"); err != nil {
		return err
	}
	if d.Choice%3 > 0 {
		return nil
	}
	n, err := p.mark(ctx, page.Notifications[len(page.Notifications)-1].ID, "dismiss")
	p.dismissed[n.ID] = n
	return err
}

// mark marks an entry as read or dismissed, and checks that the response says so.
func (p *person) mark(ctx context.Context, id notification.ID, how string) (n notification.Notification, err error) {
	_, err = p.caller.Call(ctx, sim.Call{Method: http.MethodPost, Path: "/notification/notifications/" + string(id) +
		"/" + how, Out: &n})
	if err == nil && (n.ID != id || how == "read" && !n.Read || how == "dismiss" && !n.Dismissed) {
		p.run.ledger.Fault(sim.Changed, "notification %s after %s: %+v", id, how, n)
	}
	return n, err
}
