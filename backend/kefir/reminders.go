package kefir

import (
	"context"
	"time"

	"github.com/tabletop-db/tabletop/backend/internal/idempotency"
	"github.com/tabletop-db/tabletop/backend/internal/web"
)

const (
	maxReminderDelay = 2 * 365 * 24 * time.Hour
	day              = 24 * time.Hour
)

// createReminder creates a reminder; a repeat with the same idempotency key returns the same reminder (KF-R12), due or
// not.
func (s *Service) createReminder(ctx context.Context, user string, batch ID, in reminderRequest,
	key string) (Reminder, bool, error) {
	r, err := s.markers.Request(s.cfg.Now(), user, "add-reminder "+string(batch), key, in)
	if err != nil {
		return Reminder{}, false, err
	}
	return idempotency.Once(ctx, s.markers, r,
		func(mark idempotency.Mark) (Reminder, error) { return s.newReminder(ctx, user, batch, in, mark) },
		func(ref string) (Reminder, error) {
			m, ok, err := s.store.reminder(ctx, batch, ID(ref))
			return web.Found(m, ok, err, errNoReminder)
		})
}

func (s *Service) newReminder(ctx context.Context, user string, batch ID, in reminderRequest,
	mark idempotency.Mark) (Reminder, error) {
	now := s.cfg.Now()
	if in.DueAt <= timestamp(now) || in.DueAt > timestamp(now.Add(maxReminderDelay)) {
		return Reminder{}, web.Invalid("body.dueAt", "must be in the future, within two years")
	}
	if _, err := s.ownBatch(ctx, user, batch); err != nil {
		return Reminder{}, err
	}
	id, err := newID()
	if err != nil {
		return Reminder{}, err
	}
	r := Reminder{
		ReminderID: id, BatchID: batch, UserID: user, Message: in.Message, DueAt: in.DueAt, Status: Pending,
		CreatedAt: timestamp(now),
	}
	if err = s.store.createReminder(ctx, r, mark); err == nil {
		err = s.confirmBatch(ctx, user, batch, reminderSK(id))
	}
	if err == nil {
		s.stats.reminders.Add(1)
	}
	return r, err
}

func (s *Service) listReminders(ctx context.Context, user string, q remindersQuery) ([]Reminder, string, error) {
	after, err := web.DecodeCursor(q.Cursor, map[string]func(string) bool{
		"PK": web.Equals(batchPK(q.BatchID)), "SK": withPrefix(prefixReminder, validID),
	})
	if err != nil {
		return nil, "", err
	}
	if _, err := s.indexedBatch(ctx, user, q.BatchID); err != nil {
		return nil, "", err
	}
	reminders, last, err := s.store.reminders(ctx, q.BatchID, q.Limit, after)
	return reminders, web.EncodeCursor(last), err
}

// upcoming lists a user's pending reminders of the next days, in order of time (KF-P9).
func (s *Service) upcoming(ctx context.Context, user string, q upcomingQuery) ([]Reminder, string, error) {
	now := s.cfg.Now()
	from, to := timestamp(now), timestamp(now.Add(time.Duration(q.Days)*day))
	after, err := web.DecodeCursor(q.Cursor, map[string]func(string) bool{
		"PK": withPrefix(prefixBatch, validID), "SK": withPrefix(prefixReminder, validID), "GSI1PK": web.Equals(userPK(user)),
		"GSI1SK": withPrefix(prefixDue, func(at string) bool { return validTimestamp(at) && at <= string(to) }),
	})
	if err != nil {
		return nil, "", err
	}
	if after["GSI1SK"] < dueSK(from) { // the last entry of the previous page is no longer upcoming
		after = nil
	}
	reminders, last, err := s.store.upcoming(ctx, user, from, to, q.Limit, after)
	return reminders, web.EncodeCursor(last), err
}

// cancelReminder changes a reminder from pending to cancelled (KF-R5). A repeat changes nothing. A reminder that was
// sent, or that a scheduler is sending, is a conflict.
func (s *Service) cancelReminder(ctx context.Context, user string, batch, id ID) (Reminder, error) {
	if _, err := s.ownBatch(ctx, user, batch); err != nil {
		return Reminder{}, err
	}
	r, done, err := s.store.cancelReminder(ctx, batch, id, s.now())
	if done {
		s.stats.cancelled.Add(1)
	}
	if err != nil || done {
		return r, err
	}
	r, ok, err := s.store.reminder(ctx, batch, id)
	switch {
	case err != nil || !ok:
		return web.Found(r, ok, err, errNoReminder)
	case r.Status == Sent:
		return r, web.Conflict("the reminder was sent at " + string(r.SentAt) + " and cannot be cancelled")
	case r.Status == Pending:
		return r, web.Conflict("the reminder is being sent at this moment and cannot be cancelled")
	}
	return r, nil
}
