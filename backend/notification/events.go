package notification

import (
	"context"
	"errors"

	"github.com/tabletop-db/tabletop/backend/auth"
	"github.com/tabletop-db/tabletop/backend/internal/cosmosdb"
	"github.com/tabletop-db/tabletop/backend/internal/idempotency"
	"github.com/tabletop-db/tabletop/backend/internal/web"
)

// enqueue is NT-P1: an invalid event is refused, and nothing is written (NT-R11). With an Idempotency-Key, it returns
// the event that an earlier request with the key created; replayed reports this.
func (s *Service) enqueue(ctx context.Context, in eventRequest, key string) (e Event, replayed bool, err error) {
	if e, err = s.newEvent(in); err != nil {
		return Event{}, false, err
	}
	if key == "" {
		err = s.store.enqueue(ctx, e)
	} else {
		e.ID = ID(idempotency.ID(string(e.UserID), key))
		e, replayed, err = s.enqueueOnce(ctx, e)
	}
	if err != nil {
		return Event{}, false, err
	}
	if !replayed {
		s.stats.enqueued.Add(1)
	}
	return e, replayed, nil
}

// enqueueOnce enqueues an event unless one with its id exists; then it returns the existing one, if it describes the
// same.
func (s *Service) enqueueOnce(ctx context.Context, e Event) (existing Event, replayed bool, err error) {
	err = s.retryConflicts(ctx, func() (bool, error) {
		err := s.store.enqueueNamed(ctx, e)
		if existing, replayed = e, errors.Is(err, cosmosdb.ErrExists); !replayed {
			return true, err
		}
		var found bool
		existing, found, err = s.store.event(ctx, e.UserID, e.ID)
		return found, err // if it is not found, it expired between the two calls
	})
	if err == nil && !existing.describesSame(e) {
		err = idempotency.ErrKeyReused
	}
	return existing, replayed, err
}

// describesSame reports whether two events describe the same, whatever their status.
func (e Event) describesSame(o Event) bool {
	return e.UserID == o.UserID && e.EventType == o.EventType && e.DedupeKey == o.DedupeKey && e.Payload.equals(o.Payload)
}

// newEvent returns the event that a request describes.
func (s *Service) newEvent(in eventRequest) (Event, error) {
	category, known := CategoryOf(in.EventType)
	switch {
	case !known:
		return Event{}, web.Invalid("body.eventType", "is not an event type")
	case !auth.ValidSubject(string(in.UserID)):
		return Event{}, web.Invalid("body.userId",
			`must be the subject of a token: 1 to 255 letters, digits and "._:@|+=-", not starting with a dot`)
	}
	if err := in.Payload.check(in.EventType); err != nil {
		return Event{}, web.Invalid("body.payload", err.Error())
	}
	id, err := newID()
	if err != nil {
		return Event{}, err
	}
	return Event{
		ID: id, UserID: in.UserID, EventType: in.EventType, Category: category, Payload: in.Payload, Status: Pending,
		DedupeKey: Text(in.DedupeKey), CreatedAt: s.now(),
	}, nil
}

func (s *Service) event(ctx context.Context, user UserID, id ID) (Event, error) {
	e, ok, err := s.store.event(ctx, user, id)
	return web.Found(e, ok, err, errNoEvent)
}
