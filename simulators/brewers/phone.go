package brewers

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"time"

	"github.com/tabletop-db/tabletop/simulators/sim"
)

func (b *brewer) pickUp(ctx context.Context, d Deed) error {
	p := b.phones[d.Phone]
	if p == nil {
		platform := [...]string{"ios", "android"}[(len(b.plan.Name)+d.Phone)%2]
		p = &phone{id: fmt.Sprintf("%s-phone-%d", b.plan.UserID, d.Phone), platform: platform}
	}
	token, err := b.town.push(p.id, p.platform, d.At)
	if err != nil {
		return err
	}
	in := thing{"platform": p.platform, "pushToken": token, "deviceInfo": thing{"model": "simulated",
		"appVersion": "1.4.0"}}
	if _, _, err := b.call(ctx, http.MethodPut, "/devices/"+url.PathEscape(p.id), in); err != nil {
		return err
	}
	p.token, b.phones[d.Phone] = token, p
	return nil
}

func (b *brewer) putDown(ctx context.Context, d Deed) error {
	_, heard, err := b.call(ctx, http.MethodDelete, "/devices/"+url.PathEscape(b.phones[d.Phone].id), nil)
	if err != nil && (heard.Repeats == 0 || sim.Status(err) != http.StatusNotFound) {
		return err
	}
	delete(b.phones, d.Phone)
	return nil
}

func (b *brewer) remind(ctx context.Context, d Deed) error {
	at := b.batches[d.Batch]
	path := "/batches/" + at.id + "/reminders"
	in := thing{"message": d.Text, "dueAt": stamp(b.town.dueAt(d.Due))}
	made, err := b.create(ctx, path, in, func(ctx context.Context) ([]thing, error) {
		return b.all(ctx, path, "reminders")
	}, "message")
	if err != nil {
		return err
	}
	want := maps.Clone(in)
	maps.Copy(want, thing{"reminderId": made["reminderId"], "batchId": at.id, "userId": b.plan.UserID,
		"status": "pending"})
	maps.Copy(want, b.when("createdAt"))
	b.reminders[d.Reminder] = &reminder{id: made["reminderId"].(string), batch: at, want: want}
	return nil
}

// dueAt returns when a reminder planned for this time is due. Without control of the clock it must be at least a few
// seconds ahead.
func (t *town) dueAt(moment time.Duration) time.Time {
	at := t.clock.At(moment)
	if soon := t.clock.Now().Add(2 * time.Second); at.Before(soon) {
		return soon
	}
	return at
}

// cancel cancels a reminder, unless a scheduler was faster; the response tells.
func (b *brewer) cancel(ctx context.Context, d Deed) error {
	r := b.reminders[d.Reminder]
	_, _, err := b.call(ctx, http.MethodPost, "/batches/"+r.batch.id+"/reminders/"+r.id+"/cancel", nil)
	race := d.At == d.Due || !b.town.clock.Moves()
	switch {
	case err == nil && (d.At < d.Due || race):
		r.want["status"] = "cancelled"
		maps.Copy(r.want, b.when("cancelledAt"))
		return nil
	case sim.Status(err) == http.StatusConflict && (d.At > d.Due || race):
		r.due = true
		return nil
	case err == nil:
		return fmt.Errorf("a reminder could be cancelled %v after it was due: %s", d.At-d.Due, r.id)
	}
	return err
}

// fallDue records the phones that must get the push of a reminder that is due now.
func (b *brewer) fallDue(d Deed) {
	r := b.reminders[d.Reminder]
	r.due = true
	for _, p := range b.phones {
		r.rings = append(r.rings, *p)
	}
}
