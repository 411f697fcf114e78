package brewers

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/venue"
)

// reconcile reads back what every brewer has, through the API, and compares it with what they know.
func (t *town) reconcile(ctx context.Context) error {
	return venue.Each(ctx, t.brewers, func(ctx context.Context, b *brewer) error {
		if len(b.batches) == 0 && b.profile == nil {
			return nil // never signed up
		}
		if err := b.readBack(ctx); err != nil {
			return fmt.Errorf("reading back %s: %w", b.plan.UserID, err)
		}
		return nil
	})
}

// readBack compares everything of one brewer. Of a brewer who left, nothing may remain.
func (b *brewer) readBack(ctx context.Context) error {
	l := b.town.ledger
	profile, _, err := b.call(ctx, http.MethodGet, "/profile", nil)
	if err != nil && sim.Status(err) != http.StatusNotFound {
		return err
	}
	batches, err := b.all(ctx, "/batches", "batches")
	if err != nil {
		return err
	}
	phones, err := b.all(ctx, "/devices", "devices")
	if err != nil {
		return err
	}
	if b.left {
		return b.readNothing(ctx, len(batches)+len(phones)+len(profile))
	}
	wantBatches, wantPhones := map[string]thing{}, map[string]thing{}
	for _, at := range b.batches {
		wantBatches[at.id] = at.want
	}
	for _, p := range b.phones {
		wantPhones[p.id] = thing{"platform": p.platform, "pushToken": p.token, "userId": b.plan.UserID}
	}
	sim.Compare(l, "profile", profiles, map[string]thing{b.plan.UserID: b.profile}, []thing{profile}, field("userId"))
	sim.Compare(l, "batch", "batches", wantBatches, batches, field("batchId"))
	sim.Compare(l, "phone", "phones", wantPhones, phones, field("deviceId"))
	return b.readBatches(ctx)
}

// readNothing checks that a brewer who left has left nothing.
func (b *brewer) readNothing(ctx context.Context, things int) error {
	l := b.town.ledger
	if things > 0 {
		l.Fault(sim.Foreign, "%s deleted the account, but %d objects remain", b.plan.UserID, things)
	}
	for _, at := range b.batches {
		_, _, err := b.call(ctx, http.MethodGet, "/batches/"+at.id, nil)
		if sim.Status(err) != http.StatusNotFound {
			l.Fault(sim.Foreign, "%s deleted the account, but reading batch %s returned %v", b.plan.UserID, at.id, err)
		}
	}
	l.Found(gone)
	return nil
}

// readBatches compares the events and reminders of each batch.
func (b *brewer) readBatches(ctx context.Context) error {
	reminders := map[*batch]map[string]thing{}
	for _, r := range b.reminders {
		if reminders[r.batch] == nil {
			reminders[r.batch] = map[string]thing{}
		}
		reminders[r.batch][r.id] = r.expected(b.town)
	}
	for _, at := range b.batches {
		events, err := b.all(ctx, "/batches/"+at.id+"/events?order=asc", "events")
		if err != nil {
			return err
		}
		b.compareEvents(at, events)
		got, err := b.all(ctx, "/batches/"+at.id+"/reminders", "reminders")
		if err != nil {
			return err
		}
		sim.Compare(b.town.ledger, "reminder", "reminders", reminders[at], got, field("reminderId"))
	}
	return nil
}

// compareEvents compares a batch's events by content, because the service assigns their ids. The ids must be unique.
func (b *brewer) compareEvents(at *batch, got []thing) {
	l, want, ids := b.town.ledger, map[string]thing{}, map[any]bool{}
	for _, e := range at.events {
		want[lineID(asText(e))] = e
	}
	sim.Compare(l, "event", "events", want, got, func(e thing) string { return lineID(asText(e)) })
	for _, e := range got {
		ids[e["eventId"]] = true
	}
	if len(ids) != len(got) {
		l.Fault(sim.Twice, "the events of batch %s share an id", at.id)
	}
	if !slices.IsSortedFunc(got, func(x, y thing) int { return compareText(x["createdAt"], y["createdAt"]) }) {
		l.Fault(sim.Changed, "the events of batch %s are not in chronological order", at.id)
	}
}

// asText returns a thing with its fields as text, as in a line of an export but without the apostrophes.
func asText(of thing) thing {
	line := thing{}
	for name, value := range of {
		line[name] = fmt.Sprint(value)
	}
	return line
}

// expected returns the expected state of a reminder: sent if it fell due and was not cancelled before.
func (r *reminder) expected(t *town) thing {
	want := thing{}
	for name, value := range r.want {
		want[name] = value
	}
	if r.want["status"] == "pending" && r.due {
		want["status"], want["sentAt"] = "sent", r.want["dueAt"]
		if t.schedulers == 0 { // whether somebody else runs one is unknown
			delete(want, "status")
			delete(want, "sentAt")
		}
	}
	return want
}
