package verification

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/verification/pii"
)

// keysets stores the wrapped keyset next to the cases: without its master key it opens nothing.
type keysets struct{ *store }

// Keyset implements pii.Store.
func (k keysets) Keyset(ctx context.Context) (pii.Wrapped, bool, error) {
	item, err := k.get(ctx, keysetKey, meta)
	var kept keysetRecord
	ddb.Unmarshal(item, &kept)
	return pii.Wrapped{Keyset: kept.Keyset, Version: kept.Version}, kept.Keyset != nil, err
}

// KeepKeyset implements pii.Store, by a conditional put.
func (k keysets) KeepKeyset(ctx context.Context, w pii.Wrapped) (bool, error) {
	onlyIf := expression.Name("PK").AttributeNotExists()
	if w.Version > 1 {
		onlyIf = expression.Name("version").Equal(expression.Value(w.Version - 1))
	}
	e := ddb.Build(expression.NewBuilder().WithCondition(onlyIf))
	in := &dynamodb.PutItemInput{
		TableName: k.table, Item: ddb.Marshal(keysetRecord{itemKey{keysetKey, meta}, w.Keyset, w.Version}),
		ConditionExpression: e.Condition(), ExpressionAttributeNames: e.Names(), ExpressionAttributeValues: e.Values(),
	}
	_, err := k.client.PutItem(ctx, in)
	if ddb.ConditionFailed(err) {
		return false, nil
	}
	return err == nil, ddb.MapError(err)
}
