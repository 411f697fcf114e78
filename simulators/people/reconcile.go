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
	"github.com/tabletop-db/tabletop/simulators/venue"
)

// reconcile compares the backend's state and the gateway's deliveries with what happened.
func (r *run) reconcile(ctx context.Context) error {
	if err := venue.Each(ctx, r.people, func(ctx context.Context, p *person) error {
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
		_, err := p.patient.Call(ctx, sim.Call{Method: http.MethodGet, Path: path, Out: &e.is})
		if sim.Status(err) == http.StatusNotFound {
			p.run.ledger.Fault(sim.Lost, "event %s of %s", e.id, p.id)
		} else if err != nil {
			return err
		}
	}
	entries, err := p.entries(ctx)
	if err != nil {
		return err
	}
	p.match(entries)
	for _, e := range p.inbox.events {
		p.judge(e, entries)
	}
	for _, h := range p.inbox.things {
		h.judge(p.run.ledger)
	}
	p.count(entries)
	return p.takeStock(ctx)
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
			p.run.ledger.Fault(sim.Lost, "dismissed notification %s of %s", id, p.id)
			continue
		}
		if err != nil {
			return nil, err
		}
		if n.DismissedAt != was.DismissedAt {
			p.run.ledger.Fault(sim.Changed, "notification %s: dismissed at %s, then at %s", id, was.DismissedAt, n.DismissedAt)
		}
		all = append(all, n)
	}
	return all, nil
}

// match assigns each notification to its event. A notification without an acknowledged event must belong to a happening
// that may have more events.
func (p *person) match(entries []notification.Notification) {
	seen := map[notification.ID]bool{}
	for _, n := range entries {
		e, h := p.inbox.events[n.ID], p.inbox.things[string(n.TargetID)]
		switch {
		case seen[n.ID]:
			p.run.ledger.Fault(sim.Twice, "notification %s of %s", n.ID, p.id)
		case h == nil || e == nil && h.unheard == 0:
			p.run.ledger.Fault(sim.Foreign, "notification %s of %s, about %s", n.ID, p.id, n.TargetID)
		case n.Category != h.category || string(n.UserID) != p.id || e != nil && e.of != h:
			p.run.ledger.Fault(sim.Changed, "notification %s of %s: %+v", n.ID, p.id, n)
		default:
			p.run.ledger.Found(foundEntry)
		}
		if e != nil {
			e.told = &n
		} else if h != nil {
			h.events = append(h.events, &event{id: n.ID, of: h, told: &n})
		}
		seen[n.ID] = true
	}
}

// handled returns the first tick after a time: by then a worker has processed what was enqueued before it.
func (r *run) handled(sent time.Time) time.Time {
	start := r.venue.Clock.Start()
	return start.Add(sent.Sub(start).Truncate(tick) + tick)
}

// judge compares the final status of an event with the person's preferences when it was processed.
func (p *person) judge(e *event, entries []notification.Notification) {
	if !e.is.Final() {
		p.run.ledger.Fault(unfinished, "event %s of %s is %s, next retry at %s", e.id, p.id, e.is.Status, e.is.NextRetryAt)
		return
	}
	p.run.ledger.Found(foundEvent + string(e.is.Status))
	wishes := p.during(e.sent, p.run.handled(e.sent))
	mutes := func(w wish) bool { return w.mutes(e.of.category) }
	muted := some(wishes, mutes)
	always := !some(wishes, func(w wish) bool { return !mutes(w) })
	wrong := func(why string) {
		p.run.ledger.Fault(wrongEnd, "event %s of %s is %s: %s", e.id, p.id, e.is.Status, why)
	}
	told := e.told != nil
	switch e.is.Status {
	case notification.Completed:
		switch {
		case told && always:
			wrong("it has a notification although the category was off")
		case !told && !muted:
			p.run.ledger.Fault(sim.Lost, "notification of event %s of %s", e.id, p.id)
		case !told:
			p.run.ledger.Found(foundMuted)
		}
	case notification.Failed:
		if !told && !muted || e.is.LastError == "" || e.is.RetryCount != 5 {
			wrong(fmt.Sprintf("notified %t, retries %d, error %q", told, e.is.RetryCount, e.is.LastError))
		}
	case notification.RateLimited:
		if told || !full(e, entries) {
			wrong(fmt.Sprintf("notified %t, rate limit reached %t", told, full(e, entries)))
		}
	case notification.Deduplicated:
		if told || !e.of.other(e) {
			wrong(fmt.Sprintf("notified %t, another within the window %t", told, e.of.other(e)))
		}
	}
}

// full reports whether the rate limit of an event's category was reached when it ended.
func full(e *event, entries []notification.Notification) bool {
	rate, limited := notification.DefaultRates()[e.of.category]
	end, n := moment(e.is.ProcessedAt), 0
	for _, entry := range entries {
		if at := moment(entry.CreatedAt); entry.Category == e.of.category && !at.After(end) && end.Sub(at) <= rate.Window {
			n++
		}
	}
	return limited && n >= rate.Max
}

func moment(m notification.Moment) time.Time {
	t, _ := time.Parse(time.RFC3339, string(m)) // zero when there is none
	return t
}

// window is how long after an event another one with its dedupeKey is a duplicate.
const window = time.Hour

// other reports whether within the window there was, or may have been, another event of the same happening that was not
// a duplicate itself.
func (h *happening) other(e *event) bool {
	return h.unheard > 0 || slices.ContainsFunc(h.events, func(o *event) bool {
		return o != e && o.is.Status != notification.Deduplicated && o.sent.Sub(e.sent).Abs() <= window
	})
}

// judge checks that of a happening's events with a dedupeKey, at most one within the window was notified.
func (h *happening) judge(ledger *sim.Ledger) {
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
			if e.told != nil && o.told != nil && apart <= window {
				ledger.Fault(sim.Twice, "%s was notified by the events %s and %s", h.key, o.id, e.id)
			}
		}
	}
}

// count checks that no hour has more notifications of a category than its rate limit.
func (p *person) count(entries []notification.Notification) {
	for category, rate := range notification.DefaultRates() {
		var at []time.Time
		for _, n := range entries {
			if n.Category == category {
				at = append(at, moment(n.CreatedAt))
			}
		}
		slices.SortFunc(at, time.Time.Compare)
		for i := rate.Max; i < len(at); i++ {
			if at[i].Sub(at[i-rate.Max]) <= rate.Window {
				p.run.ledger.Fault(overRate, "%s has more than %d notifications of %s in the hour until %v", p.id, rate.Max,
					category, at[i])
			}
		}
	}
}
