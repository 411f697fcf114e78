package verification

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/internal/idempotency"
)

// keyRecord is an API key as stored: its public record and the hash of its secret, which never leaves the service.
type keyRecord struct {
	APIKey
	hash string
}

// session is what is stored of one.
type session struct {
	id, keyID, hash string
	client          ClientID
	created, ends   Timestamp
	active          bool
}

// apiKey is half of VR-P9.
func (s *store) apiKey(ctx context.Context, id string) (keyRecord, bool, error) {
	item, err := s.get(ctx, keyKey(id), meta)
	return keyOf(item), item != nil, err
}

// session is the other half of VR-P9. DynamoDB removes a session by its ttl some time after its end: whoever asks has to
// look at the clock.
func (s *store) session(ctx context.Context, id string) (session, bool, error) {
	item, err := s.get(ctx, sessionKey(id), meta)
	return sessionOf(item), item != nil, err
}

func (s *store) createKey(ctx context.Context, e *AuditEntry, k keyRecord, mark idempotency.Mark) error {
	item := primary(keyKey(k.KeyID), meta)
	item["keyId"], item["clientId"], item["hash"] = ddb.Str(k.KeyID), ddb.Str(k.ClientID), ddb.Str(k.hash)
	item["createdAt"], item["isActive"] = ddb.Str(k.CreatedAt), ddb.Bool(true)
	item["GSI1PK"], item["GSI1SK"] = ddb.Str(partitionKeys), ddb.Str(string(k.CreatedAt)+"#"+k.KeyID)
	if k.Description != "" {
		item["description"] = ddb.Str(k.Description)
	}
	return s.writeNew(ctx, e, mark, k.KeyID, types.TransactWriteItem{Put: s.putNew(item)})
}

func (s *store) createSession(ctx context.Context, e *AuditEntry, n session, mark idempotency.Mark) error {
	item := primary(sessionKey(n.id), meta)
	item["sessionId"], item["keyId"], item["clientId"], item["hash"] = ddb.Str(n.id), ddb.Str(n.keyID), ddb.Str(n.client), ddb.Str(n.hash)
	item["createdAt"], item["expiresAt"], item["ttl"] = ddb.Str(n.created), ddb.Str(n.ends), ddb.Number(n.ends.time().Unix())
	item["isActive"] = ddb.Bool(true)
	return s.writeNew(ctx, e, mark, n.id, types.TransactWriteItem{Put: s.putNew(item)})
}

// turnOff makes a key or a session inactive for good; false when there is none. Twice is once.
func (s *store) turnOff(ctx context.Context, e *AuditEntry, pk string) (bool, error) {
	unmet, err := s.write(ctx, e, types.TransactWriteItem{
		Update: s.change(pk, meta, "SET isActive = :no", "attribute_exists(PK)", ddb.Item{":no": ddb.Bool(false)}),
	})
	return err == nil && len(unmet) == 0, err
}

// listKeys are all API keys, newest first.
func (s *store) listKeys(ctx context.Context, limit int, after ddb.Key) ([]APIKey, ddb.Key, error) {
	items, last, err := s.query(ctx, indexClient, partitionKeys, "", false, limit, after)
	return ddb.Collect(items, func(i ddb.Item) APIKey { return keyOf(i).APIKey }), last, err
}
