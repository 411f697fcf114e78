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

// happening is something that happened and concerns a person, with its events. Without a dedupeKey it has one event.
type happening struct {
	target   string // identifies its notifications
	key      string
	category notification.Category
	events   []*event // acknowledged events
	unheard  int      // number of additional events that may exist: their responses were lost
}

// event is an acknowledged event.
type event struct {
	id   notification.ID
	of   *happening
	sent time.Time

	is   notification.Event         // as read back
	told *notification.Notification // its notification; nil: none
}

// inbox holds the events that the services have enqueued for a person. It is safe for concurrent use.
type inbox struct {
	mu     sync.Mutex
	events map[notification.ID]*event
	things map[string]*happening // by target
}

// tell makes the responsible service enqueue what happens.
func (p *person) tell(ctx context.Context, d Deed) error {
	category, _ := notification.CategoryOf(d.Type)
	to := p.run.people[d.To]
	for i := range d.Times {
		h := happening{target: fmt.Sprintf("%s-%d-%d", p.id, p.next, i), category: category}
		if d.Key > 0 {
			h.key = fmt.Sprintf("%s:%s:%d", d.Type, p.id, d.Key)
			h.target = fmt.Sprintf("%s-key-%d", p.id, d.Key)
		}
		if err := p.enqueue(ctx, to, d.Type, h); err != nil {
			return err
		}
	}
	return nil
}

// enqueue enqueues an event. Without a dedupeKey no response is lost: a repeat would notify twice, as documented.
func (p *person) enqueue(ctx context.Context, to *person, eventType notification.EventType, h happening) error {
	in := map[string]any{"userId": to.id, "eventType": eventType, "payload": map[string]string{
		"actorId": p.id, "actorName": p.id, "targetType": "post", "targetId": h.target, "snippet": "a sunny day",
	}}
	caller := p.patient
	if h.key != "" {
		in["dedupeKey"], caller = h.key, p.service
	}
	var made notification.Event
	sent := p.run.now()
	heard, err := caller.Call(ctx, sim.Call{Method: http.MethodPost, Path: "/notification/events", In: in, Out: &made})
	if err != nil {
		return err
	}
	p.run.ledger.Did(didEnqueue)
	if made.Status != notification.Pending || made.UserID != notification.UserID(to.id) || made.Category != h.category {
		p.run.ledger.Fault(sim.Changed, "event %s was acknowledged with status %s, user %s, category %s", made.ID,
			made.Status, made.UserID, made.Category)
	}
	to.inbox.enter(made.ID, h, sent, heard.Repeats)
	return nil
}

// enter records an acknowledged event.
func (b *inbox) enter(id notification.ID, h happening, sent time.Time, unheard int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	known := b.things[h.target]
	if known == nil {
		known = &h
		b.things[h.target] = known
	}
	known.unheard += unheard
	e := &event{id: id, of: known, sent: sent}
	known.events = append(known.events, e)
	b.events[id] = e
}
