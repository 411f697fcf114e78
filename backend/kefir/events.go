package kefir

import (
	"context"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/internal/idempotency"
	"github.com/tabletop-db/tabletop/backend/internal/web"
)

// createEvent adds a photo or a note to a batch; a repeat with the same idempotency key returns the same event (KF-R4,
// KF-R12).
func (s *Service) createEvent(ctx context.Context, user string, batch ID, in eventRequest,
	key string) (Event, bool, error) {
	r, err := s.markers.Request(s.cfg.Now(), user, "add-event "+string(batch), key, in)
	if err != nil {
		return Event{}, false, err
	}
	return idempotency.Once(ctx, s.markers, r,
		func(mark idempotency.Mark) (Event, error) { return s.newEvent(ctx, user, batch, in, mark) },
		func(ref string) (Event, error) {
			e, ok, err := s.store.event(ctx, batch, ref)
			return web.Found(e, ok, err, errNoBatch)
		})
}

func (s *Service) newEvent(ctx context.Context, user string, batch ID, in eventRequest, mark idempotency.Mark) (Event,
	error) {
	if err := in.check(); err != nil {
		return Event{}, err
	}
	if _, err := s.ownBatch(ctx, user, batch); err != nil {
		return Event{}, err
	}
	id, err := newID()
	if err != nil {
		return Event{}, err
	}
	e := Event{
		EventID: id, BatchID: batch, Type: in.Type, Note: in.Note, PhotoURL: in.PhotoURL, PhotoKey: in.PhotoKey,
		CreatedAt: moment(s.cfg.Now()),
	}
	if err = s.store.createEvent(ctx, e, mark); err == nil {
		err = s.confirmBatch(ctx, user, batch, eventSK(e.CreatedAt, e.EventID))
	}
	if err == nil {
		s.stats.events.Add(1)
	}
	return e, err
}

// listEvents lists a batch's events in order of time, or newest first, starting at a time if one is given.
func (s *Service) listEvents(ctx context.Context, user string, q eventsQuery) ([]Event, string, error) {
	from := prefixEvent
	if q.After != "" {
		from = eventsFrom(q.After)
	}
	after, err := web.DecodeCursor(q.Cursor, map[string]func(string) bool{
		"PK": web.Equals(batchPK(q.BatchID)), "SK": eventKeyBetween(from, prefixEvent+endOfPrefix),
	})
	if err != nil {
		return nil, "", err
	}
	if _, err := s.indexedBatch(ctx, user, q.BatchID); err != nil {
		return nil, "", err
	}
	var events []Event
	var last ddb.Key
	if q.After == "" {
		events, last, err = s.store.events(ctx, q.BatchID, q.Order == "asc", q.Limit, after)
	} else {
		events, last, err = s.store.eventsAfter(ctx, q.BatchID, from, q.Order == "asc", q.Limit, after)
	}
	return events, web.EncodeCursor(last), err
}

// eventsFrom returns the first possible sort key at a time, in milliseconds, as every key is written.
func eventsFrom(at Moment) string {
	t, err := time.Parse(time.RFC3339Nano, string(at))
	if err != nil { // unreachable: the request was validated
		return prefixEvent + string(at)
	}
	return prefixEvent + string(moment(t))
}

// withPrefix returns a check for keys that consist of a prefix and a valid rest.
func withPrefix(prefix string, valid func(string) bool) func(string) bool {
	return func(s string) bool {
		rest, ok := strings.CutPrefix(s, prefix)
		return ok && valid(rest)
	}
}

// eventKeyBetween returns a check for sort keys of events between two bounds: DynamoDB rejects a start key outside the
// range.
func eventKeyBetween(from, to string) func(string) bool {
	return func(s string) bool { return from <= s && s <= to && withPrefix(prefixEvent, validTimeAndID)(s) }
}

// validTimeAndID reports whether s is a time, # and an id.
func validTimeAndID(s string) bool {
	at, id, ok := strings.Cut(s, "#")
	_, err := time.Parse(time.RFC3339Nano, at)
	return ok && err == nil && validID(id)
}
