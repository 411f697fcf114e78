package notification

import (
	"context"
	"math"
	"slices"
	"time"
)

// admit decides whether an event becomes a notification, and writes the notification if so. The status is COMPLETED
// when there is a notification, otherwise RATE_LIMITED or DEDUPLICATED. retried means that the event was processed
// before, so that its notification may exist.
//
// The documented queries alone cannot enforce the limits: of two concurrent workers, neither sees the other's
// notification. So where a rate or a dedupeKey applies, the notification is written in one batch with the user's guard,
// on condition that the guard is as it was before the queries. The loser of the race counts again and then sees the
// winner's notification.
func (s *Service) admit(ctx context.Context, e Event, retried bool) (n Notification, status Status, err error) {
	rate, limited := s.cfg.Rates[e.Category]
	err = s.retryConflicts(ctx, func() (bool, error) {
		if retried {
			existing, ok, err := s.store.notification(ctx, e.UserID, e.ID)
			if ok || err != nil {
				n, status = existing, Completed
				return true, err
			}
		}
		retried = true // what follows may be applied although no response arrives
		if !limited && e.DedupeKey == "" {
			n, status = render(e, s.now()), Completed
			_, err := s.store.createNotification(ctx, n, nil, "")
			return true, err
		}
		var done bool
		n, status, done, err = s.admitGuarded(ctx, e, rate)
		return done, err
	})
	return n, status, err
}

// admitGuarded makes one attempt. done is false when another notification was written in between.
func (s *Service) admitGuarded(ctx context.Context, e Event, rate Rate) (n Notification, status Status,
	done bool, err error) {
	g, etag, err := readGuard(ctx, s.store.notifications, e.UserID)
	if err != nil {
		return n, "", false, err
	}
	duplicate, err := s.duplicate(ctx, e, g)
	if err != nil || duplicate {
		return n, Deduplicated, true, err
	}
	now := s.cfg.Now()
	if rate.Max > 0 {
		count, err := s.store.countRecent(ctx, e.UserID, e.Category, moment(now.Add(-rate.Window)), rate.Max)
		if err != nil || count >= rate.Max {
			return n, RateLimited, true, err
		}
	}
	g = g.withEvent(e, s.cfg.DedupeWindow, now)
	n = render(e, moment(now))
	outcome, err := s.store.createNotification(ctx, n, &g, etag)
	return n, Completed, outcome != guardChanged, err
}

// duplicate reports whether the same was notified within the window (NT-R3). The documented query finds earlier events
// with the same key that are being processed or have a notification; the guard knows those with a notification that the
// query may not see yet.
func (s *Service) duplicate(ctx context.Context, e Event, g guard) (bool, error) {
	if e.DedupeKey == "" {
		return false, nil
	}
	if g.recentlyNotified(e, s.cfg.DedupeWindow) {
		return true, nil
	}
	others, err := s.store.eventsWithKey(ctx, e.UserID, DedupeKey(e.DedupeKey),
		moment(e.CreatedAt.time().Add(-s.cfg.DedupeWindow)))
	for _, o := range others {
		if !o.precedes(e) {
			continue
		}
		if counts, err := s.countsAsNotified(ctx, o); counts || err != nil {
			return counts, err
		}
	}
	return false, err
}

// countsAsNotified reports whether an event has notified its user, or may still do so. A duplicate does not count:
// otherwise a key that keeps recurring would be notified once and never again. Nor does an event that was completed
// without a notification, because the user had switched off its category.
func (s *Service) countsAsNotified(ctx context.Context, e Event) (bool, error) {
	switch {
	case !e.Final():
		return true, nil
	case e.Status != Completed:
		return false, nil
	}
	_, notified, err := s.store.notification(ctx, e.UserID, e.ID)
	return notified, err
}

// precedes orders the events of a key; for equal times, the order is still the same for every worker.
func (e Event) precedes(o Event) bool {
	return e.CreatedAt < o.CreatedAt || e.CreatedAt == o.CreatedAt && e.ID < o.ID
}

// recentlyNotified reports whether another event with the key of e was notified within the window, before or after e.
func (g guard) recentlyNotified(e Event, window time.Duration) bool {
	return slices.ContainsFunc(g.Recent, func(t recentEvent) bool {
		distance := e.CreatedAt.time().Sub(t.At.time()).Abs()
		return t.Key == DedupeKey(e.DedupeKey) && t.Event != e.ID && distance <= window
	})
}

// withEvent records an event as notified, and removes records that are too old to matter.
func (g guard) withEvent(e Event, window time.Duration, now time.Time) guard {
	g.Recent = slices.DeleteFunc(slices.Clone(g.Recent), func(t recentEvent) bool {
		return now.Sub(t.At.time()) >= 2*window
	})
	if e.DedupeKey != "" {
		g.Recent = append(g.Recent, recentEvent{Key: DedupeKey(e.DedupeKey), Event: e.ID, At: e.CreatedAt})
	}
	g.TTL = int(math.Ceil((2 * window).Seconds()))
	return g
}
