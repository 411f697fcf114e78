package verification

import (
	"context"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/internal/idempotency"
)

// marked returns where markers of Idempotency-Keys are stored. Hashes use the pepper, because a body has contact data,
// which could be guessed.
func (s *Service) marked() idempotency.Markers {
	return idempotency.Markers{
		Client: s.cfg.Client, Table: s.store.table, TTL: "ttl",
		Key:     func(user, key string) ddb.Item { return primary(markerKey(user, key), meta) },
		Hash:    func(text string) string { return s.secretly("idempotency", text) },
		OnRetry: func(error) { s.stats.retries.Add(1) },
		Wait:    s.cfg.Wait,
	}
}

// once creates something, unless a request of the caller with this Idempotency-Key has already done so: then again
// returns what that request created (VR-R11), and the audit entry says so. A create that conflicts with another write
// is retried.
func once[T any](
	ctx context.Context, s *Service, e *AuditEntry, operation, key string, body any,
	create func(idempotency.Mark) (T, error), again func(made string) (T, error),
) (T, bool, error) {
	markers, asked := s.marked(), *e
	r, err := markers.Request(s.cfg.Now(), callerOf(ctx).user, operation, key, body)
	if err != nil {
		var none T
		return none, false, err
	}
	return idempotency.Once(ctx, markers, r,
		func(mark idempotency.Mark) (thing T, err error) {
			if mark != nil {
				return create(mark)
			}
			err = s.insist(ctx, func() error {
				thing, err = create(nil)
				return err
			})
			return thing, err
		},
		func(made string) (T, error) {
			*e = asked
			e.Outcome = replayed
			return again(made)
		})
}
