package people

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/backend/notification"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// trigger is something that happened and concerns a person, with its events. Without a dedupeKey it has one event.
type trigger struct {
	target         string // identifies its notifications
	key            string
	category       notification.Category
	events         []*event // acknowledged events
	unacknowledged int      // number of additional events that may exist: their responses were lost
}

// event is an acknowledged event.
type event struct {
	id      notification.ID
	trigger *trigger
	sent    time.Time

	stored       notification.Event         // as read back
	notification *notification.Notification // its notification; nil: none
}

// inbox holds the events that the services have enqueued for a person. It is safe for concurrent use.
type inbox struct {
	mu       sync.Mutex
	events   map[notification.ID]*event
	triggers map[string]*trigger // by target
}

// notify makes the responsible service enqueue what happens.
func (p *person) notify(ctx context.Context, d Action) error {
	category, _ := notification.CategoryOf(d.Type)
	to := p.run.byNumber[d.To]
	for i := range d.Count {
		h := trigger{target: fmt.Sprintf("%s-%d-%d", p.id, p.next, i), category: category}
		if d.DedupeNumber > 0 {
			h.key = fmt.Sprintf("%s:%s:%d", d.Type, p.id, d.DedupeNumber)
			h.target = fmt.Sprintf("%s-key-%d", p.id, d.DedupeNumber)
		}
		if err := p.enqueue(ctx, to, d.Type, h); err != nil {
			return err
		}
	}
	return nil
}

// enqueue enqueues an event. Without a dedupeKey no response is lost: a repeat would notify twice, as documented.
func (p *person) enqueue(ctx context.Context, to *person, eventType notification.EventType, h trigger) error {
	in := map[string]any{"userId": to.id, "eventType": eventType, "payload": map[string]string{
		"actorId": p.id, "actorName": p.id, "targetType": "post", "targetId": h.target, "snippet": "a sunny day",
	}}
	caller := p.reliable
	if h.key != "" {
		in["dedupeKey"], caller = h.key, p.service
	}
	var created notification.Event
	sent := p.run.now()
	outcome, err := caller.Call(ctx, sim.Call{Method: http.MethodPost, Path: "/notification/events", In: in,
		Out: &created})
	if err != nil {
		return err
	}
	p.run.ledger.CountAction(actionEnqueue)
	if created.Status != notification.Pending || created.UserID != notification.UserID(to.id) ||
		created.Category != h.category {
		p.run.ledger.ReportFault(sim.Changed, "event %s was acknowledged with status %s, user %s, category %s", created.ID,
			created.Status, created.UserID, created.Category)
	}
	to.inbox.record(created.ID, h, sent, outcome.Retries)
	return nil
}

// record records an acknowledged event.
func (b *inbox) record(id notification.ID, h trigger, sent time.Time, unacknowledged int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	trigger := b.triggers[h.target]
	if trigger == nil {
		trigger = &h
		b.triggers[h.target] = trigger
	}
	trigger.unacknowledged += unacknowledged
	e := &event{id: id, trigger: trigger, sent: sent}
	trigger.events = append(trigger.events, e)
	b.events[id] = e
}
