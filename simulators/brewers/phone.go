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

func (b *brewer) registerPhone(ctx context.Context, d Action) error {
	p := b.phones[d.Phone]
	if p == nil {
		platform := [...]string{"ios", "android"}[(len(b.plan.Name)+d.Phone)%2]
		p = &phone{id: fmt.Sprintf("%s-phone-%d", b.plan.UserID, d.Phone), platform: platform}
	}
	token, err := b.sim.newPushToken(p.id, p.platform, d.At)
	if err != nil {
		return err
	}
	in := object{"platform": p.platform, "pushToken": token, "deviceInfo": object{"model": "simulated",
		"appVersion": "1.4.0"}}
	if _, _, err := b.call(ctx, http.MethodPut, "/devices/"+url.PathEscape(p.id), in); err != nil {
		return err
	}
	p.token, b.phones[d.Phone] = token, p
	return nil
}

func (b *brewer) removePhone(ctx context.Context, d Action) error {
	_, outcome, err := b.call(ctx, http.MethodDelete, "/devices/"+url.PathEscape(b.phones[d.Phone].id), nil)
	if err != nil && (outcome.Retries == 0 || sim.Status(err) != http.StatusNotFound) {
		return err
	}
	delete(b.phones, d.Phone)
	return nil
}

func (b *brewer) setReminder(ctx context.Context, d Action) error {
	batch := b.batches[d.Batch]
	path := "/batches/" + batch.id + "/reminders"
	in := object{"message": d.Text, "dueAt": formatTime(b.sim.dueTime(d.Due))}
	made, err := b.create(ctx, path, in, func(ctx context.Context) ([]object, error) {
		return b.readAll(ctx, path, "reminders")
	}, "message")
	if err != nil {
		return err
	}
	id, err := idOf(made, "reminderId")
	if err != nil {
		return err
	}
	want := maps.Clone(in)
	maps.Copy(want, object{"reminderId": id, "batchId": batch.id, "userId": b.plan.UserID,
		"status": "pending"})
	maps.Copy(want, b.expectedTimes("createdAt"))
	b.reminders[d.Reminder] = &reminder{id: id, batch: batch, want: want}
	return nil
}

// dueTime returns when a reminder planned for this time is due. Without control of the clock it must be at least a few
// seconds ahead.
func (s *simulation) dueTime(moment time.Duration) time.Time {
	at := s.clock.At(moment)
	if soon := s.clock.Now().Add(2 * time.Second); at.Before(soon) {
		return soon
	}
	return at
}

// cancelReminder cancels a reminder, unless a scheduler was faster; the response says which.
func (b *brewer) cancelReminder(ctx context.Context, d Action) error {
	r := b.reminders[d.Reminder]
	_, _, err := b.call(ctx, http.MethodPost, "/batches/"+r.batch.id+"/reminders/"+r.id+"/cancel", nil)
	race := d.At == d.Due || !b.sim.clock.ControlsBackend()
	switch {
	case err == nil && (d.At < d.Due || race):
		r.want["status"] = "cancelled"
		maps.Copy(r.want, b.expectedTimes("cancelledAt"))
		return nil
	case sim.Status(err) == http.StatusConflict && (d.At > d.Due || race):
		r.fellDue = true
		return nil
	case err == nil:
		return fmt.Errorf("a reminder could be cancelled %v after it was due: %s", d.At-d.Due, r.id)
	}
	return err
}

// recordDue records the phones that must get the push of a reminder that is due now.
func (b *brewer) recordDue(d Action) {
	r := b.reminders[d.Reminder]
	r.fellDue = true
	for _, p := range b.phones {
		r.recipients = append(r.recipients, *p)
	}
}
