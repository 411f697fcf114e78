package brewers

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/simenv"
)

// reconcile reads back what every brewer has, through the API, and compares it with what they know.
func (s *simulation) reconcile(ctx context.Context) error {
	return simenv.ForEach(ctx, s.brewers, func(ctx context.Context, b *brewer) error {
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
	l := b.sim.ledger
	profile, _, err := b.call(ctx, http.MethodGet, "/profile", nil)
	if err != nil && sim.Status(err) != http.StatusNotFound {
		return err
	}
	batches, err := b.readAll(ctx, "/batches", "batches")
	if err != nil {
		return err
	}
	phones, err := b.readAll(ctx, "/devices", "devices")
	if err != nil {
		return err
	}
	if b.deleted {
		return b.checkDeleted(ctx, len(batches)+len(phones)+len(profile))
	}
	wantBatches, wantPhones := map[string]object{}, map[string]object{}
	for _, batch := range b.batches {
		wantBatches[batch.id] = batch.want
	}
	for _, p := range b.phones {
		wantPhones[p.id] = object{"platform": p.platform, "pushToken": p.token, "userId": b.plan.UserID}
	}
	sim.Compare(l, "profile", profiles, map[string]object{b.plan.UserID: b.profile}, []object{profile}, field("userId"))
	sim.Compare(l, "batch", "batches", wantBatches, batches, field("batchId"))
	sim.Compare(l, "phone", "phones", wantPhones, phones, field("deviceId"))
	return b.compareBatches(ctx)
}

// checkDeleted checks that a brewer who left has left nothing.
func (b *brewer) checkDeleted(ctx context.Context, objects int) error {
	l, empty := b.sim.ledger, objects == 0
	if !empty {
		l.ReportFault(sim.Unexpected, "%s deleted the account, but %d objects remain", b.plan.UserID, objects)
	}
	for _, batch := range b.batches {
		_, _, err := b.call(ctx, http.MethodGet, "/batches/"+batch.id, nil)
		if sim.Status(err) != http.StatusNotFound {
			empty = false
			l.ReportFault(sim.Unexpected, "%s deleted the account, but reading batch %s returned %v",
				b.plan.UserID, batch.id, err)
		}
	}
	if empty {
		l.CountMatch(emptyAccounts)
	}
	return nil
}

// compareBatches compares the events and reminders of each batch.
func (b *brewer) compareBatches(ctx context.Context) error {
	reminders := map[*batch]map[string]object{}
	for _, r := range b.reminders {
		if reminders[r.batch] == nil {
			reminders[r.batch] = map[string]object{}
		}
		reminders[r.batch][r.id] = r.expected(b.sim)
	}
	for _, batch := range b.batches {
		events, err := b.readAll(ctx, "/batches/"+batch.id+"/events?order=asc", "events")
		if err != nil {
			return err
		}
		b.compareEvents(batch, events)
		got, err := b.readAll(ctx, "/batches/"+batch.id+"/reminders", "reminders")
		if err != nil {
			return err
		}
		sim.Compare(b.sim.ledger, "reminder", "reminders", reminders[batch], got, field("reminderId"))
	}
	return nil
}

// compareEvents compares a batch's events by content, because the service assigns their ids. The ids must be unique.
func (b *brewer) compareEvents(batch *batch, got []object) {
	l, want, ids := b.sim.ledger, map[string]object{}, map[any]bool{}
	for _, e := range batch.events {
		want[lineID(asText(e))] = e
	}
	sim.Compare(l, "event", "events", want, got, func(e object) string { return lineID(asText(e)) })
	for _, e := range got {
		ids[e["eventId"]] = true
	}
	if len(ids) != len(got) {
		l.ReportFault(sim.Duplicated, "the events of batch %s share an id", batch.id)
	}
	if !slices.IsSortedFunc(got, func(x, y object) int { return compareText(x["createdAt"], y["createdAt"]) }) {
		l.ReportFault(sim.Changed, "the events of batch %s are not in chronological order", batch.id)
	}
}

// asText returns an object with its fields as text, as in a line of an export but without the apostrophes.
func asText(of object) object {
	line := object{}
	for name, value := range of {
		line[name] = fmt.Sprint(value)
	}
	return line
}

// expected returns the expected state of a reminder: sent if it fell due and was not cancelled before.
func (r *reminder) expected(s *simulation) object {
	want := object{}
	for name, value := range r.want {
		want[name] = value
	}
	if r.want["status"] == "pending" && r.fellDue {
		want["status"], want["sentAt"] = "sent", r.want["dueAt"]
		if s.schedulers == 0 { // whether somebody else runs one is unknown
			delete(want, "status")
			delete(want, "sentAt")
		}
	}
	return want
}
