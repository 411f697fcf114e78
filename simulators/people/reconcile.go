package people

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/tabletop-db/tabletop/backend/notification"
	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/simenv"
)

// reconcile compares the backend's state and the gateway's deliveries with what happened.
func (r *run) reconcile(ctx context.Context) error {
	if err := simenv.ForEach(ctx, r.people, func(ctx context.Context, p *person) error {
		return p.reconcile(ctx)
	}); err != nil {
		return err
	}
	return r.reconcilePushes(ctx)
}

// reconcile reads back everything of one person: each acknowledged event, the notification centre with dismissed
// entries, and the devices.
func (p *person) reconcile(ctx context.Context) error {
	for _, e := range p.inbox.events {
		path := fmt.Sprintf("/notification/events/%s?userId=%s", e.id, url.QueryEscape(p.id))
		_, err := p.reliable.Call(ctx, sim.Call{Method: http.MethodGet, Path: path, Out: &e.stored})
		if sim.Status(err) == http.StatusNotFound {
			p.run.ledger.ReportFault(sim.Lost, "event %s of %s", e.id, p.id)
		} else if err != nil {
			return err
		}
	}
	entries, err := p.entries(ctx)
	if err != nil {
		return err
	}
	p.matchNotifications(entries)
	for _, e := range p.inbox.events {
		p.checkEvent(e, entries)
	}
	for _, h := range p.inbox.triggers {
		h.checkDedupe(p.run.ledger)
	}
	p.checkRateLimits(entries)
	return p.checkDevices(ctx)
}

// entries returns all notifications of the person, including dismissed ones.
func (p *person) entries(ctx context.Context) ([]notification.Notification, error) {
	var all []notification.Notification
	for cursor := ""; ; {
		var page list
		path := "/notification/notifications?limit=100&cursor=" + url.QueryEscape(cursor)
		if cursor == "" {
			path = "/notification/notifications?limit=100"
		}
		if _, err := p.caller.Call(ctx, sim.Call{Method: http.MethodGet, Path: path, Out: &page}); err != nil {
			return nil, err
		}
		all = append(all, page.Notifications...)
		if cursor = page.Cursor; cursor == "" {
			break
		}
	}
	for id, was := range p.dismissed {
		n, err := p.mark(ctx, id, "dismiss")
		if sim.Status(err) == http.StatusNotFound {
			p.run.ledger.ReportFault(sim.Lost, "dismissed notification %s of %s", id, p.id)
			continue
		}
		if err != nil {
			return nil, err
		}
		if n.DismissedAt != was.DismissedAt {
			p.run.ledger.ReportFault(sim.Changed, "notification %s: dismissed at %s, then at %s", id,
				was.DismissedAt, n.DismissedAt)
		}
		all = append(all, n)
	}
	return all, nil
}

// matchNotifications assigns each notification to its event. A notification without an acknowledged event must belong
// to a trigger that may have more events.
func (p *person) matchNotifications(entries []notification.Notification) {
	seen := map[notification.ID]bool{}
	for _, n := range entries {
		e, h := p.inbox.events[n.ID], p.inbox.triggers[string(n.TargetID)]
		switch {
		case seen[n.ID]:
			p.run.ledger.ReportFault(sim.Duplicated, "notification %s of %s", n.ID, p.id)
		case h == nil || e == nil && h.unacknowledged == 0:
			p.run.ledger.ReportFault(sim.Unexpected, "notification %s of %s, about %s", n.ID, p.id, n.TargetID)
		case n.Category != h.category || string(n.UserID) != p.id || e != nil && e.trigger != h:
			p.run.ledger.ReportFault(sim.Changed, "notification %s of %s: %+v", n.ID, p.id, n)
		default:
			p.run.ledger.CountMatch(foundEntry)
		}
		if e != nil {
			e.notification = &n
		} else if h != nil {
			h.events = append(h.events, &event{id: n.ID, trigger: h, notification: &n})
		}
		seen[n.ID] = true
	}
}

// processedBy returns the first tick after a time: by then a worker has processed what was enqueued before it.
func (r *run) processedBy(sent time.Time) time.Time {
	start := r.env.Clock.Start()
	return start.Add(sent.Sub(start).Truncate(tick) + tick)
}

// checkEvent compares the final status of an event with the person's preferences when it was processed.
func (p *person) checkEvent(e *event, entries []notification.Notification) {
	if !e.stored.Final() {
		p.run.ledger.ReportFault(unfinishedEvent, "event %s of %s is %s, next retry at %s", e.id, p.id, e.stored.Status,
			e.stored.NextRetryAt)
		return
	}
	p.run.ledger.CountMatch(foundEvent + string(e.stored.Status))
	prefs := p.preferencesBetween(e.sent, p.run.processedBy(e.sent))
	mutesCategory := func(w preferences) bool { return w.mutes(e.trigger.category) }
	muted := anyPreferences(prefs, mutesCategory)
	alwaysMuted := !anyPreferences(prefs, func(w preferences) bool { return !mutesCategory(w) })
	reportWrong := func(why string) {
		p.run.ledger.ReportFault(wrongEnd, "event %s of %s is %s: %s", e.id, p.id, e.stored.Status, why)
	}
	notified := e.notification != nil
	switch e.stored.Status {
	case notification.Completed:
		switch {
		case notified && alwaysMuted:
			reportWrong("it has a notification although the category was off")
		case !notified && !muted:
			p.run.ledger.ReportFault(sim.Lost, "notification of event %s of %s", e.id, p.id)
		case !notified:
			p.run.ledger.CountMatch(foundMuted)
		}
	case notification.Failed:
		if !notified && !muted || e.stored.LastError == "" || e.stored.RetryCount != 5 {
			reportWrong(fmt.Sprintf("notified %t, retries %d, error %q", notified, e.stored.RetryCount, e.stored.LastError))
		}
	case notification.RateLimited:
		if notified || !rateLimitReached(e, entries) {
			reportWrong(fmt.Sprintf("notified %t, rate limit reached %t", notified, rateLimitReached(e, entries)))
		}
	case notification.Deduplicated:
		if notified || !e.trigger.hasOther(e) {
			reportWrong(fmt.Sprintf("notified %t, another within the window %t", notified, e.trigger.hasOther(e)))
		}
	}
}

// rateLimitReached reports whether the rate limit of an event's category was reached when it ended.
func rateLimitReached(e *event, entries []notification.Notification) bool {
	rate, limited := notification.DefaultRates()[e.trigger.category]
	end, n := parseTime(e.stored.ProcessedAt), 0
	for _, entry := range entries {
		if at := parseTime(entry.CreatedAt); entry.Category == e.trigger.category && !at.After(end) &&
			end.Sub(at) <= rate.Window {
			n++
		}
	}
	return limited && n >= rate.Max
}

func parseTime(m notification.Moment) time.Time {
	t, _ := time.Parse(time.RFC3339, string(m)) // zero when there is none
	return t
}

// window is how long after an event another one with its dedupeKey is a duplicate.
const window = time.Hour

// hasOther reports whether within the window there was, or may have been, another event of the same trigger that was
// not a duplicate itself.
func (h *trigger) hasOther(e *event) bool {
	return h.unacknowledged > 0 || slices.ContainsFunc(h.events, func(o *event) bool {
		return o != e && o.stored.Status != notification.Deduplicated && o.sent.Sub(e.sent).Abs() <= window
	})
}

// checkDedupe checks that of a trigger's events with a dedupeKey, at most one within the window was notified.
func (h *trigger) checkDedupe(ledger *sim.Ledger) {
	if h.key == "" {
		return
	}
	for i, e := range h.events {
		for _, o := range h.events[:i] {
			apart := time.Duration(0) // the time of an event whose response was lost is another event's
			if !e.sent.IsZero() && !o.sent.IsZero() {
				apart = e.sent.Sub(o.sent).Abs()
			} else if len(h.events) > 2 || e.sent.IsZero() && o.sent.IsZero() {
				continue
			}
			if e.notification != nil && o.notification != nil && apart <= window {
				ledger.ReportFault(sim.Duplicated, "%s was notified by the events %s and %s", h.key, o.id, e.id)
			}
		}
	}
}

// checkRateLimits checks that no hour has more notifications of a category than its rate limit.
func (p *person) checkRateLimits(entries []notification.Notification) {
	for category, rate := range notification.DefaultRates() {
		var at []time.Time
		for _, n := range entries {
			if n.Category == category {
				at = append(at, parseTime(n.CreatedAt))
			}
		}
		slices.SortFunc(at, time.Time.Compare)
		for i := rate.Max; i < len(at); i++ {
			if at[i].Sub(at[i-rate.Max]) <= rate.Window {
				p.run.ledger.ReportFault(overRate, "%s has more than %d notifications of %s in the hour until %v", p.id, rate.Max,
					category, at[i])
			}
		}
	}
}
