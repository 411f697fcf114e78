package people

import (
	"context"
	"encoding/json"

	"github.com/tabletop-db/tabletop/backend/notification"
	"github.com/tabletop-db/tabletop/simulators/pushgateway"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// reconcilePushes compares what the gateway delivered with everybody's notifications and preferences.
func (r *run) reconcilePushes(ctx context.Context) error {
	deliveries, err := r.pushes.Delivered(ctx)
	if err != nil {
		return err
	}
	owners := map[string]*person{} // by phone
	phones := map[string]*phone{}
	for _, p := range r.people {
		for _, one := range p.phones {
			owners[one.id], phones[one.id] = p, one
		}
	}
	came := map[notification.ID]map[string]int{}
	for _, d := range deliveries {
		var data struct{ NotificationID notification.ID }
		p := owners[d.Phone]
		if json.Unmarshal(d.Data, &data) != nil || p == nil {
			continue // another simulation's
		}
		if came[data.NotificationID] == nil {
			came[data.NotificationID] = map[string]int{}
		}
		came[data.NotificationID][d.Phone]++
		r.weigh(p, phones[d.Phone], d, data.NotificationID, came[data.NotificationID][d.Phone])
	}
	for _, p := range r.people {
		for _, e := range p.inbox.events {
			if p.mustHear(e) && len(came[e.id]) == 0 {
				r.ledger.Fault(lostPush, "%s did not receive the push of %s by %s", p.id, e.id, e.is.ProcessedAt)
			} else if p.mustHear(e) {
				r.ledger.Found(foundHeard)
			}
		}
	}
	return nil
}

// weigh checks one delivery, the nth of its notification on its phone.
func (r *run) weigh(p *person, one *phone, d pushgateway.Delivery, id notification.ID, nth int) {
	category, known := p.categoryOf(id)
	asleep := func(w wish) bool { return w.asleep(d.At) || w.mutes(category) }
	awake := some(p.during(d.At, d.At), func(w wish) bool { return !asleep(w) })
	switch {
	case !known || !one.may(d.At):
		r.ledger.Fault(wrongPhone, "%s received the push of %s at %v", one.id, id, d.At)
	case nth > 1:
		r.ledger.Fault(sim.Twice, "push of %s on %s", id, one.id)
	case !awake && !insistent(category):
		r.ledger.Fault(sleepless, "%s of %s received the push of %s, %s, at %v", one.id, p.id, id, category, d.At)
	default:
		r.ledger.Found(foundPush)
	}
}

// categoryOf returns the category of a notification of the person.
func (p *person) categoryOf(id notification.ID) (notification.Category, bool) {
	if e := p.inbox.events[id]; e != nil && e.told != nil {
		return e.told.Category, true
	}
	for _, h := range p.inbox.things {
		for _, e := range h.events {
			if e.id == id && e.told != nil {
				return e.told.Category, true
			}
		}
	}
	return "", false
}

// mustHear reports whether one of the person's phones must have received the push of an event: it was reachable from
// the time of the event to its end, and the person wanted pushes.
func (p *person) mustHear(e *event) bool {
	if e.told == nil || e.is.Status != notification.Completed {
		return false
	}
	from, to := e.sent, moment(e.is.ProcessedAt)
	unwilling := func(w wish) bool { return w.mutes(e.of.category) || w.deaf() && !insistent(e.of.category) }
	if some(p.during(from, to), unwilling) {
		return false
	}
	for _, one := range p.phones {
		if one.must(from, to) {
			return true
		}
	}
	return false
}
