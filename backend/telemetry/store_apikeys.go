package telemetry

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// keyRecord is an API key as stored: its public record and the hash of the key, which never leaves the service.
type keyRecord struct {
	APIKey
	hash string
}

// keyIDByHash is the first half of TL-P8: the hash index, which is eventually consistent.
func (s *store) keyIDByHash(ctx context.Context, hash string) (UUID, bool, error) {
	items, _, err := s.query(ctx, &dynamodb.QueryInput{
		TableName: s.table(tableAPIKeys), IndexName: aws.String(indexKeyHash),
		KeyConditionExpression:    aws.String("api_key_hash = :hash"),
		ExpressionAttributeValues: item{":hash": str(hash)},
	}, 1, nil)
	if err != nil || len(items) == 0 {
		return "", false, err
	}
	return UUID(text(items[0]["key_id"])), true, nil
}

// apiKey is the second half of TL-P8 (TL-D4): the base item, read consistently.
func (s *store) apiKey(ctx context.Context, id UUID) (keyRecord, bool, error) {
	out, err := s.client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: s.table(tableAPIKeys), Key: item{"key_id": str(id)}, ConsistentRead: aws.Bool(true),
	})
	if err != nil || out.Item == nil {
		return keyRecord{}, false, failure(err)
	}
	return keyRecord{apiKeyOf(out.Item), text(out.Item["api_key_hash"])}, true, nil
}

// listAPIKeys is TL-P9.
func (s *store) listAPIKeys(ctx context.Context, limit int, after key) ([]APIKey, key, error) {
	items, last, err := s.query(ctx, &dynamodb.QueryInput{
		TableName: s.table(tableAPIKeys), IndexName: aws.String(indexListing),
		KeyConditionExpression:    aws.String("gsi1pk = :api_keys"),
		ExpressionAttributeValues: item{":api_keys": str(partitionAPIKeys)},
		ScanIndexForward:          aws.Bool(false),
	}, limit, after)
	return collect(items, apiKeyOf), last, err
}

// createAPIKey is TL-P10.
func (s *store) createAPIKey(ctx context.Context, k keyRecord) error {
	put := item{
		"key_id": str(k.KeyID), "api_key_hash": str(k.hash), "created_at": str(k.CreatedAt),
		"is_active": &types.AttributeValueMemberBOOL{Value: true},
		"gsi1pk":    str(partitionAPIKeys), "gsi1sk": str(k.CreatedAt),
	}
	if k.Description != "" {
		put["description"] = str(k.Description)
	}
	_, err := s.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: s.table(tableAPIKeys), Item: put})
	return failure(err)
}

// touchAPIKey is TL-P11: it sets last_used_at unless that is later than before. Whoever comes second in a race finds
// it set, which is no error.
func (s *store) touchAPIKey(ctx context.Context, id UUID, now, before Timestamp) error {
	_, err := s.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: s.table(tableAPIKeys), Key: item{"key_id": str(id)},
		UpdateExpression: aws.String("SET last_used_at = :now"),
		ConditionExpression: aws.String("attribute_exists(key_id) AND" +
			" (attribute_not_exists(last_used_at) OR last_used_at <= :before)"),
		ExpressionAttributeValues: item{":now": str(now), ":before": str(before)},
	})
	if unmet(err) {
		return nil
	}
	return failure(err)
}

// revokeAPIKey is TL-P12; false when there is no such key. Revoking twice is revoking once.
func (s *store) revokeAPIKey(ctx context.Context, id UUID) (APIKey, bool, error) {
	revoked, ok, err := s.updateExisting(ctx, &dynamodb.UpdateItemInput{
		TableName: s.table(tableAPIKeys), Key: item{"key_id": str(id)},
		UpdateExpression:          aws.String("SET is_active = :no"),
		ConditionExpression:       aws.String("attribute_exists(key_id)"),
		ExpressionAttributeValues: item{":no": &types.AttributeValueMemberBOOL{Value: false}},
	})
	if !ok {
		return APIKey{}, false, err
	}
	return apiKeyOf(revoked), true, nil
}
