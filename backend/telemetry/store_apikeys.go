package telemetry

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
)

// keyRecord is an API key as stored: its public record and the hash of the key, which never leaves the service.
type keyRecord struct {
	APIKey
	hash string
}

// keyIDByHash is the first half of TL-P8: the hash index, which is eventually consistent.
func (s *store) keyIDByHash(ctx context.Context, hash string) (UUID, bool, error) {
	items, _, err := ddb.Query(ctx, s.client, &dynamodb.QueryInput{
		TableName: s.table(tableAPIKeys), IndexName: aws.String(indexKeyHash),
		KeyConditionExpression:    aws.String("api_key_hash = :hash"),
		ExpressionAttributeValues: ddb.Item{":hash": ddb.Str(hash)},
	}, 1, nil)
	if err != nil || len(items) == 0 {
		return "", false, err
	}
	return UUID(ddb.Text(items[0]["key_id"])), true, nil
}

// apiKey is the second half of TL-P8 (TL-D4): the base item, read consistently.
func (s *store) apiKey(ctx context.Context, id UUID) (keyRecord, bool, error) {
	out, err := s.client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: s.table(tableAPIKeys), Key: ddb.Item{"key_id": ddb.Str(id)}, ConsistentRead: aws.Bool(true),
	})
	if err != nil || out.Item == nil {
		return keyRecord{}, false, ddb.Failure(err)
	}
	return keyRecord{apiKeyOf(out.Item), ddb.Text(out.Item["api_key_hash"])}, true, nil
}

// listAPIKeys is TL-P9.
func (s *store) listAPIKeys(ctx context.Context, limit int, after ddb.Key) ([]APIKey, ddb.Key, error) {
	items, last, err := ddb.Query(ctx, s.client, &dynamodb.QueryInput{
		TableName: s.table(tableAPIKeys), IndexName: aws.String(indexListing),
		KeyConditionExpression:    aws.String("gsi1pk = :api_keys"),
		ExpressionAttributeValues: ddb.Item{":api_keys": ddb.Str(partitionAPIKeys)},
		ScanIndexForward:          aws.Bool(false),
	}, limit, after)
	return ddb.Collect(items, apiKeyOf), last, err
}

// createAPIKey is TL-P10. A put whose answer was lost and that the SDK has sent again finds its own key there.
func (s *store) createAPIKey(ctx context.Context, k keyRecord) error {
	put := ddb.Item{
		"key_id": ddb.Str(k.KeyID), "api_key_hash": ddb.Str(k.hash), "created_at": ddb.Str(k.CreatedAt),
		"is_active": ddb.Bool(true),
		"gsi1pk":    ddb.Str(partitionAPIKeys), "gsi1sk": ddb.Str(k.CreatedAt),
	}
	if k.Description != "" {
		put["description"] = ddb.Str(k.Description)
	}
	_, err := s.client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: s.table(tableAPIKeys), Item: put, ConditionExpression: aws.String("attribute_not_exists(key_id)"),
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	var there *types.ConditionalCheckFailedException
	if errors.As(err, &there) && ddb.Text(there.Item["api_key_hash"]) == k.hash {
		return nil
	}
	return ddb.Failure(err)
}

// touchAPIKey is TL-P11: it sets last_used_at unless that is later than before. Whoever comes second in a race finds
// it set, which is no error.
func (s *store) touchAPIKey(ctx context.Context, id UUID, now, before Timestamp) error {
	_, err := s.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: s.table(tableAPIKeys), Key: ddb.Item{"key_id": ddb.Str(id)},
		UpdateExpression: aws.String("SET last_used_at = :now"),
		ConditionExpression: aws.String("attribute_exists(key_id) AND" +
			" (attribute_not_exists(last_used_at) OR last_used_at <= :before)"),
		ExpressionAttributeValues: ddb.Item{":now": ddb.Str(now), ":before": ddb.Str(before)},
	})
	if ddb.Unmet(err) {
		return nil
	}
	return ddb.Failure(err)
}

// revokeAPIKey is TL-P12; false when there is no such key. Revoking twice is revoking once.
func (s *store) revokeAPIKey(ctx context.Context, id UUID) (APIKey, bool, error) {
	revoked, ok, err := s.updateExisting(ctx, &dynamodb.UpdateItemInput{
		TableName: s.table(tableAPIKeys), Key: ddb.Item{"key_id": ddb.Str(id)},
		UpdateExpression:          aws.String("SET is_active = :no"),
		ConditionExpression:       aws.String("attribute_exists(key_id)"),
		ExpressionAttributeValues: ddb.Item{":no": ddb.Bool(false)},
	})
	if !ok {
		return APIKey{}, false, err
	}
	return apiKeyOf(revoked), true, nil
}
