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
	next   int // index of the next action
	caller *sim.Caller

	service  *sim.Caller // the service that enqueues what the person does
	reliable *sim.Caller // the same, losing no response

	inbox       inbox
	preferences []preferences // ordered by time
	phones      []*phone
	dismissed   map[notification.ID]notification.Notification
}

// Next returns the time of the person's next action.
func (p *person) Next() (time.Duration, bool) {
	if p.next == len(p.plan.Actions) {
		return 0, false
	}
	return p.plan.Actions[p.next].At, true
}

// Act performs it and the person's other actions of the same time, concurrently with other people.
func (p *person) Act(ctx context.Context) error {
	for now := p.plan.Actions[p.next].At; p.next < len(p.plan.Actions) && p.plan.Actions[p.next].At == now; p.next++ {
		d := p.plan.Actions[p.next]
		if err := p.perform(ctx, d); err != nil {
			return fmt.Errorf("%s, %v after the start: %w", p.id, d.At, err)
		}
		p.run.ledger.CountAction(d.Kind.label())
	}
	return nil
}

func (p *person) perform(ctx context.Context, d Action) error {
	switch d.Kind {
	case Notify:
		return p.notify(ctx, d)
	case OpenCentre:
		return p.openCentre(ctx, d)
	case ReadAll:
		_, err := p.caller.Call(ctx, sim.Call{Method: http.MethodPost, Path: "/notification/notifications/read"})
		return err
	case ChangeZone, ChangeQuietHours, ToggleCategory:
		return p.changePreferences(ctx, d)
	}
	return p.handlePhone(ctx, d)
}

// list is a page of the notification centre.
type list struct {
	Notifications []notification.Notification
	Cursor        string
}

// openCentre reads the newest entry, and sometimes dismisses the oldest one on the page.
func (p *person) openCentre(ctx context.Context, d Action) error {
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
	if d.Random%3 > 0 {
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
		p.run.ledger.ReportFault(sim.Changed, "notification %s after %s: %+v", id, how, n)
	}
	return n, err
}
