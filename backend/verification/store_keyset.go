package verification

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/verification/pii"
)

// keysets keeps the wrapped keyset beside the cases: without its master key it opens nothing.
type keysets struct{ *store }

// Keyset reads it.
func (k keysets) Keyset(ctx context.Context) (pii.Wrapped, bool, error) {
	item, err := k.get(ctx, keysetKey, meta)
	wrapped, ok := item["keyset"].(*types.AttributeValueMemberB)
	if err != nil || !ok {
		return pii.Wrapped{}, false, err
	}
	return pii.Wrapped{Keyset: wrapped.Value, Version: ddb.Integer(item["version"])}, true, nil
}

// KeepKeyset stores it as an optimistic writer does.
func (k keysets) KeepKeyset(ctx context.Context, w pii.Wrapped) (bool, error) {
	item := primary(keysetKey, meta)
	item["keyset"], item["version"] = &types.AttributeValueMemberB{Value: w.Keyset}, ddb.Number(w.Version)
	in := &dynamodb.PutItemInput{TableName: k.table, Item: item, ConditionExpression: aws.String("attribute_not_exists(PK)")}
	if w.Version > 1 {
		in.ConditionExpression = aws.String("version = :before")
		in.ExpressionAttributeValues = ddb.Item{":before": ddb.Number(w.Version - 1)}
	}
	_, err := k.client.PutItem(ctx, in)
	if ddb.Unmet(err) {
		return false, nil
	}
	return err == nil, ddb.Failure(err)
}
