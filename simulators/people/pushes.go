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
		for _, phone := range p.phones {
			owners[phone.id], phones[phone.id] = p, phone
		}
	}
	received := map[notification.ID]map[string]int{}
	for _, d := range deliveries {
		var data struct{ NotificationID notification.ID }
		p := owners[d.Phone]
		if json.Unmarshal(d.Data, &data) != nil || p == nil {
			continue // another simulation's
		}
		if received[data.NotificationID] == nil {
			received[data.NotificationID] = map[string]int{}
		}
		received[data.NotificationID][d.Phone]++
		r.checkDelivery(p, phones[d.Phone], d, data.NotificationID, received[data.NotificationID][d.Phone])
	}
	for _, p := range r.people {
		for _, e := range p.inbox.events {
			if p.mustReceive(e) && len(received[e.id]) == 0 {
				r.ledger.ReportFault(lostPush, "%s did not receive the push of %s by %s", p.id, e.id, e.stored.ProcessedAt)
			} else if p.mustReceive(e) {
				r.ledger.CountMatch(foundRequiredPush)
			}
		}
	}
	return nil
}

// checkDelivery checks one delivery, the nth of its notification on its phone.
func (r *run) checkDelivery(p *person, phone *phone, d pushgateway.Delivery, id notification.ID, nth int) {
	category, known := p.categoryOf(id)
	suppressed := func(w preferences) bool { return w.quietAt(d.At) || w.mutes(category) }
	wanted := anyPreferences(p.preferencesBetween(d.At, d.At), func(w preferences) bool { return !suppressed(w) })
	switch {
	case !known || !phone.mayReceive(d.At):
		r.ledger.ReportFault(wrongPhone, "%s received the push of %s at %v", phone.id, id, d.At)
	case nth > 1:
		r.ledger.ReportFault(sim.Duplicated, "push of %s on %s", id, phone.id)
	case !wanted && !urgent(category):
		r.ledger.ReportFault(quietPush, "%s of %s received the push of %s, %s, at %v", phone.id, p.id, id, category, d.At)
	default:
		r.ledger.CountMatch(foundPush)
	}
}

// categoryOf returns the category of a notification of the person.
func (p *person) categoryOf(id notification.ID) (notification.Category, bool) {
	if e := p.inbox.events[id]; e != nil && e.notification != nil {
		return e.notification.Category, true
	}
	for _, h := range p.inbox.triggers {
		for _, e := range h.events {
			if e.id == id && e.notification != nil {
				return e.notification.Category, true
			}
		}
	}
	return "", false
}

// mustReceive reports whether one of the person's phones must have received the push of an event: it was reachable from
// the time of the event to its end, and the person wanted pushes.
func (p *person) mustReceive(e *event) bool {
	if e.notification == nil || e.stored.Status != notification.Completed {
		return false
	}
	from, to := e.sent, parseTime(e.stored.ProcessedAt)
	unwanted := func(w preferences) bool {
		return w.mutes(e.trigger.category) || w.alwaysQuiet() && !urgent(e.trigger.category)
	}
	if anyPreferences(p.preferencesBetween(from, to), unwanted) {
		return false
	}
	for _, one := range p.phones {
		if one.mustReceive(from, to) {
			return true
		}
	}
	return false
}
