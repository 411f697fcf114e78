package verification

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/verification/pii"
)

// keysetStore stores the wrapped keyset next to the cases: without its master key it opens nothing.
type keysetStore struct{ *store }

// Keyset implements pii.Store.
func (k keysetStore) Keyset(ctx context.Context) (pii.WrappedKeyset, bool, error) {
	item, err := k.get(ctx, keysetKey, meta)
	var record keysetRecord
	ddb.Unmarshal(item, &record)
	return pii.WrappedKeyset{Keyset: record.Keyset, Version: record.Version}, record.Keyset != nil, err
}

// SaveKeyset implements pii.Store, by a conditional put.
func (k keysetStore) SaveKeyset(ctx context.Context, w pii.WrappedKeyset) (bool, error) {
	condition := expression.Name("PK").AttributeNotExists()
	if w.Version > 1 {
		condition = expression.Name("version").Equal(expression.Value(w.Version - 1))
	}
	e := ddb.Build(expression.NewBuilder().WithCondition(condition))
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
