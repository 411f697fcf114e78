package notification

import (
	"context"

	"github.com/tabletop-db/tabletop/backend/auth"
	"github.com/tabletop-db/tabletop/backend/internal/web"
)

// enqueue is NT-P1: what breaks a rule is refused, and nothing is written (NT-R11).
func (s *Service) enqueue(ctx context.Context, in eventRequest) (Event, error) {
	category, known := CategoryOf(in.EventType)
	switch {
	case !known:
		return Event{}, web.Invalid("body.eventType", "is none of the twelve types")
	case !auth.ValidSubject(string(in.UserID)):
		return Event{}, web.Invalid("body.userId", `must be the subject of a token: 1 to 255 letters, digits and "._:@|+=-", no dot first`)
	}
	if err := in.Payload.check(in.EventType); err != nil {
		return Event{}, web.Invalid("body.payload", err.Error())
	}
	id, err := newID()
	if err != nil {
		return Event{}, err
	}
	e := Event{
		ID: id, UserID: in.UserID, EventType: in.EventType, Category: category, Payload: in.Payload, Status: Pending,
		DedupeKey: Text(in.DedupeKey), CreatedAt: s.now(),
	}
	if err := s.store.enqueue(ctx, e); err != nil {
		return Event{}, err
	}
	s.stats.enqueued.Add(1)
	return e, nil
}

func (s *Service) event(ctx context.Context, user UserID, id ID) (Event, error) {
	e, ok, err := s.store.event(ctx, user, id)
	return web.Found(e, ok, err, errNoEvent)
}
