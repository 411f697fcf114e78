package verification

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/internal/idempotency"
)

// apiKey is the first half of VR-P9.
func (s *store) apiKey(ctx context.Context, id string) (keyRecord, bool, error) {
	item, err := s.get(ctx, apiKeyKey(id), meta)
	return keyOf(item), item != nil, err
}

// session is the other half of VR-P9. DynamoDB deletes a session by its ttl only some time after its end: the caller
// must compare it with the clock.
func (s *store) session(ctx context.Context, id string) (session, bool, error) {
	item, err := s.get(ctx, sessionKey(id), meta)
	return sessionOf(item), item != nil, err
}

func (s *store) createKey(ctx context.Context, e *AuditEntry, k keyRecord, mark idempotency.Mark) error {
	return s.writeNew(ctx, e, mark, k.KeyID, types.TransactWriteItem{Put: s.putNew(keyItem(k))})
}

func (s *store) createSession(ctx context.Context, e *AuditEntry, n session, mark idempotency.Mark) error {
	return s.writeNew(ctx, e, mark, n.ID, types.TransactWriteItem{Put: s.putNew(sessionItem(n))})
}

// deactivate deactivates a key or a session for good; it returns false when there is none. It is idempotent.
func (s *store) deactivate(ctx context.Context, e *AuditEntry, pk string) (bool, error) {
	failedConditions, err := s.write(ctx, e, types.TransactWriteItem{
		Update: s.update(pk, meta, expression.Set(expression.Name("isActive"), expression.Value(false)),
			expression.Name("PK").AttributeExists()),
	})
	return err == nil && len(failedConditions) == 0, err
}

// listKeys returns all API keys, newest first.
func (s *store) listKeys(ctx context.Context, limit int, after ddb.Key) ([]APIKey, ddb.Key, error) {
	items, last, err := s.query(ctx, indexClient, partitionKeys, "", false, limit, after)
	return ddb.DecodeAll(items, func(i ddb.Item) APIKey { return keyOf(i).APIKey }), last, err
}
