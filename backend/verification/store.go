package verification

import (
	"context"
	"fmt"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/internal/idempotency"
)

// store accesses DynamoDB: one method per pattern of doc.go. Only store.go and store_*.go use the SDK. Methods return
// false for a missing item; errors are the database's.
type store struct {
	client *dynamodb.Client
	table  *string
}

// get reads one item consistently; nil when there is none.
func (s *store) get(ctx context.Context, pk, sk string) (ddb.Item, error) {
	out, err := s.client.GetItem(ctx, &dynamodb.GetItemInput{TableName: s.table, Key: primaryKey(pk, sk),
		ConsistentRead: aws.Bool(true)})
	if err != nil {
		return nil, ddb.MapError(err)
	}
	return out.Item, nil
}

// write applies all actions and stores the audit entry, or does neither (VR-R3, VR-R8). failedConditions has the
// indexes of the actions whose condition did not hold. Errors: ddb.ErrBusy is transient.
func (s *store) write(ctx context.Context, e *AuditEntry, actions ...types.TransactWriteItem) (failedConditions []int,
	err error) {
	_, txErr := s.client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
		TransactItems: append(actions, types.TransactWriteItem{Put: s.putNew(entryItem(*e))}),
	})
	if txErr == nil {
		e.stored = true
		return nil, nil
	}
	failedConditions, err = ddb.MapTransactionError(txErr)
	if len(failedConditions) > 0 && failedConditions[len(failedConditions)-1] == len(actions) {
		return nil, fmt.Errorf("the audit trail has an entry %s already", e.EventID)
	}
	return failedConditions, err
}

// writeNew applies the actions that create something and, with a mark, stores the marker of the Idempotency-Key, which
// refers to the new item by ref (VR-R11). Errors: idempotency.ErrMarkerExists when the marker already exists, and
// ddb.ErrBusy when it conflicts with another write.
func (s *store) writeNew(ctx context.Context, e *AuditEntry, mark idempotency.Mark, ref string,
	actions ...types.TransactWriteItem) error {
	if mark != nil {
		actions = append(actions, types.TransactWriteItem{Put: mark(ref)})
	}
	failedConditions, err := s.write(ctx, e, actions...)
	switch {
	case err != nil || len(failedConditions) == 0:
		return err
	case mark != nil && slices.Contains(failedConditions, len(actions)-1):
		return idempotency.ErrMarkerExists
	}
	return ddb.ErrBusy
}

// putNew returns a put that fails if the item exists.
func (s *store) putNew(i ddb.Item) *types.Put {
	return &types.Put{TableName: s.table, Item: i, ConditionExpression: aws.String("attribute_not_exists(PK)")}
}

// update returns an update of one item as an action of a transaction.
func (s *store) update(pk, sk string, change expression.UpdateBuilder,
	condition expression.ConditionBuilder) *types.Update {
	return ddb.InTransaction(ddb.Update(s.table, primaryKey(pk, sk), change, condition))
}

// check returns a condition on an item that a transaction does not change.
func (s *store) check(pk, sk string, condition expression.ConditionBuilder) *types.ConditionCheck {
	e := ddb.Build(expression.NewBuilder().WithCondition(condition))
	return &types.ConditionCheck{
		TableName: s.table, Key: primaryKey(pk, sk), ConditionExpression: e.Condition(),
		ExpressionAttributeNames: e.Names(), ExpressionAttributeValues: e.Values(),
	}
}

// query reads a page of one partition of the table or of an index, of the sort keys with this prefix.
func (s *store) query(ctx context.Context, index, pk, prefix string, forward bool, limit int,
	after ddb.Key) ([]ddb.Item, ddb.Key, error) {
	return ddb.Query(ctx, s.client, s.queryInput(index, pk, prefix, forward), limit, after)
}

func (s *store) queryInput(index, pk, prefix string, forward bool) *dynamodb.QueryInput {
	key := expression.Key(index + "PK").Equal(expression.Value(pk))
	if prefix != "" {
		key = key.And(expression.Key(index + "SK").BeginsWith(prefix))
	}
	in := ddb.Where(&dynamodb.QueryInput{TableName: s.table, ScanIndexForward: aws.Bool(forward)}, key)
	if index == "" {
		in.ConsistentRead = aws.Bool(true)
	} else {
		in.IndexName = aws.String(index)
	}
	return in
}

// reachable reads an item that cannot exist: for one read unit it checks that the database and its table respond.
func (s *store) reachable(ctx context.Context) error {
	_, err := s.get(ctx, "healthz", meta)
	return err
}
