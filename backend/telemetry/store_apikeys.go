package telemetry

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
)

// keyIDByHash is the first half of TL-P8: it queries the hash index, which is eventually consistent.
func (s *store) keyIDByHash(ctx context.Context, hash string) (UUID, bool, error) {
	items, _, err := ddb.Query(ctx, s.client, ddb.Where(&dynamodb.QueryInput{
		TableName: s.table(tableAPIKeys), IndexName: aws.String(indexKeyHash),
	}, expression.Key("api_key_hash").Equal(expression.Value(hash))), 1, nil)
	if err != nil || len(items) == 0 {
		return "", false, err
	}
	return apiKeyOf(items[0]).KeyID, true, nil
}

// apiKey is the second half of TL-P8 (TL-D4): it reads the base item consistently.
func (s *store) apiKey(ctx context.Context, id UUID) (keyRecord, bool, error) {
	out, err := s.client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: s.table(tableAPIKeys), Key: ddb.Item{"key_id": ddb.Str(id)}, ConsistentRead: aws.Bool(true),
	})
	if err != nil || out.Item == nil {
		return keyRecord{}, false, ddb.MapError(err)
	}
	return keyOf(out.Item), true, nil
}

// listAPIKeys is TL-P9.
func (s *store) listAPIKeys(ctx context.Context, limit int, after ddb.Key) ([]APIKey, ddb.Key, error) {
	items, last, err := ddb.Query(ctx, s.client, ddb.Where(&dynamodb.QueryInput{
		TableName: s.table(tableAPIKeys), IndexName: aws.String(indexListing), ScanIndexForward: aws.Bool(false),
	}, expression.Key("gsi1pk").Equal(expression.Value(partitionAPIKeys))), limit, after)
	return ddb.DecodeAll(items, apiKeyOf), last, err
}

// createAPIKey is TL-P10. If the SDK repeats a put whose response was lost, it finds its own key, which is a success.
func (s *store) createAPIKey(ctx context.Context, k keyRecord) error {
	k.IsActive = true
	_, err := s.client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: s.table(tableAPIKeys), Item: ddb.Marshal(listedKey{k, partitionAPIKeys, k.CreatedAt}),
		ConditionExpression:                 aws.String("attribute_not_exists(key_id)"),
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	if stored, failed := ddb.FailedItem(err); failed && keyOf(stored).Hash == k.Hash {
		return nil
	}
	return ddb.MapError(err)
}

// recordKeyUse is TL-P11: it sets last_used_at unless that is later than before. Losing a race is not an error.
func (s *store) recordKeyUse(ctx context.Context, id UUID, now, before Timestamp) error {
	used := expression.Name("last_used_at")
	_, err := s.client.UpdateItem(ctx, ddb.Update(s.table(tableAPIKeys), ddb.Item{"key_id": ddb.Str(id)},
		expression.Set(used, expression.Value(now)),
		expression.Name("key_id").AttributeExists().
			And(used.AttributeNotExists().Or(used.LessThanEqual(expression.Value(before))))))
	if ddb.ConditionFailed(err) {
		return nil
	}
	return ddb.MapError(err)
}

// revokeAPIKey is TL-P12; it returns false when there is no such key. Revoking is idempotent.
func (s *store) revokeAPIKey(ctx context.Context, id UUID) (APIKey, bool, error) {
	revoked, ok, err := s.updateExisting(ctx, ddb.Update(s.table(tableAPIKeys), ddb.Item{"key_id": ddb.Str(id)},
		expression.Set(expression.Name("is_active"), expression.Value(false)),
		expression.Name("key_id").AttributeExists()))
	if !ok {
		return APIKey{}, false, err
	}
	return apiKeyOf(revoked), true, nil
}
