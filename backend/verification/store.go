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

// store speaks to DynamoDB: one method a pattern of doc.go. It and its files store_*.go are the only place that knows
// the SDK. A missing item is false; an error is the database's.
type store struct {
	client *dynamodb.Client
	table  *string
}

// get reads one item, consistently; nil when there is none.
func (s *store) get(ctx context.Context, pk, sk string) (ddb.Item, error) {
	out, err := s.client.GetItem(ctx, &dynamodb.GetItemInput{TableName: s.table, Key: primary(pk, sk), ConsistentRead: aws.Bool(true)})
	if err != nil {
		return nil, ddb.Failure(err)
	}
	return out.Item, nil
}

// write does all actions and stores the audit entry, or nothing (VR-R3, VR-R8). Unmet has the numbers of the actions
// whose condition did not hold; an error that is ddb.ErrBusy passes by itself.
func (s *store) write(ctx context.Context, e *AuditEntry, actions ...types.TransactWriteItem) (unmet []int, err error) {
	_, failed := s.client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
		TransactItems: append(actions, types.TransactWriteItem{Put: s.putNew(entryItem(*e))}),
	})
	if failed == nil {
		e.kept = true
		return nil, nil
	}
	unmet, err = ddb.Cancelled(failed)
	if len(unmet) > 0 && unmet[len(unmet)-1] == len(actions) {
		return nil, fmt.Errorf("the audit trail has an entry %s already", e.EventID)
	}
	return unmet, err
}

// writeNew does the actions that make something new, and with a mark stores the marker of the Idempotency-Key, which
// refers to the new thing by made (VR-R11). It is idempotency.ErrMarked when that is there already, and ddb.ErrBusy
// when another writer was in the way.
func (s *store) writeNew(ctx context.Context, e *AuditEntry, mark idempotency.Mark, made string, actions ...types.TransactWriteItem) error {
	if mark != nil {
		actions = append(actions, types.TransactWriteItem{Put: mark(made)})
	}
	unmet, err := s.write(ctx, e, actions...)
	switch {
	case err != nil || len(unmet) == 0:
		return err
	case mark != nil && slices.Contains(unmet, len(actions)-1):
		return idempotency.ErrMarked
	}
	return ddb.ErrBusy
}

// putNew is a put that replaces nothing.
func (s *store) putNew(i ddb.Item) *types.Put {
	return &types.Put{TableName: s.table, Item: i, ConditionExpression: aws.String("attribute_not_exists(PK)")}
}

// change is an update of one item as a part of a transaction.
func (s *store) change(pk, sk string, change expression.UpdateBuilder, onlyIf expression.ConditionBuilder) *types.Update {
	return ddb.InTransaction(ddb.Update(s.table, primary(pk, sk), change, onlyIf))
}

// check is a condition on one item that a transaction leaves as it is.
func (s *store) check(pk, sk string, condition expression.ConditionBuilder) *types.ConditionCheck {
	e := ddb.Build(expression.NewBuilder().WithCondition(condition))
	return &types.ConditionCheck{
		TableName: s.table, Key: primary(pk, sk), ConditionExpression: e.Condition(),
		ExpressionAttributeNames: e.Names(), ExpressionAttributeValues: e.Values(),
	}
}

// query pages through one partition of the table, or of an index, whose sort key begins with a text.
func (s *store) query(ctx context.Context, index, pk, beginning string, forward bool, limit int, after ddb.Key) ([]ddb.Item, ddb.Key, error) {
	return ddb.Query(ctx, s.client, s.asking(index, pk, beginning, forward), limit, after)
}

func (s *store) asking(index, pk, beginning string, forward bool) *dynamodb.QueryInput {
	key := expression.Key(index + "PK").Equal(expression.Value(pk))
	if beginning != "" {
		key = key.And(expression.Key(index + "SK").BeginsWith(beginning))
	}
	in := ddb.Where(&dynamodb.QueryInput{TableName: s.table, ScanIndexForward: aws.Bool(forward)}, key)
	if index == "" {
		in.ConsistentRead = aws.Bool(true)
	} else {
		in.IndexName = aws.String(index)
	}
	return in
}

// reachable reads an item that cannot exist: half a read unit to learn that the database and its table answer.
func (s *store) reachable(ctx context.Context) error {
	_, err := s.get(ctx, "healthz", meta)
	return err
}
