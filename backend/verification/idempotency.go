package verification

import (
	"context"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/internal/idempotency"
)

// markers returns where markers of Idempotency-Keys are stored. Hashes use the pepper, because a body has contact data,
// which could be guessed.
func (s *Service) markers() idempotency.Markers {
	return idempotency.Markers{
		Client: s.cfg.Client, Table: s.store.table, TTL: "ttl",
		Key:     func(user, key string) ddb.Item { return primaryKey(markerKey(user, key), meta) },
		Hash:    func(text string) string { return s.keyedHash("idempotency", text) },
		OnRetry: func(error) { s.stats.retries.Add(1) },
		Wait:    s.cfg.Wait,
	}
}

// createOnce creates something, unless a request of the caller with this Idempotency-Key has already done so: then
// load returns what that request created (VR-R11), and the audit entry says so. A create that conflicts with another
// write is retried.
func createOnce[T any](
	ctx context.Context, s *Service, e *AuditEntry, operation, key string, body any,
	create func(idempotency.Mark) (T, error), load func(ref string) (T, error),
) (T, bool, error) {
	markers, original := s.markers(), *e
	r, err := markers.Request(s.cfg.Now(), callerOf(ctx).user, operation, key, body)
	if err != nil {
		var none T
		return none, false, err
	}
	return idempotency.Once(ctx, markers, r,
		func(mark idempotency.Mark) (resource T, err error) {
			if mark != nil {
				return create(mark)
			}
			err = s.retryConflicts(ctx, func() error {
				resource, err = create(nil)
				return err
			})
			return resource, err
		},
		func(ref string) (T, error) {
			*e = original
			e.Outcome = outcomeReplayed
			return load(ref)
		})
}
