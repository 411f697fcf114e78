package verification

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
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

// writeNew does the actions that make something new, and with a mark stores the marker of the Idempotency-Key, which refers to the new
// thing by made (VR-R11). It is idempotency.ErrMarked when that is there already, and ddb.ErrBusy when another writer was in the way.
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

// change is an update of one item as a part of a transaction. Status is a reserved word and written #status.
func (s *store) change(pk, sk, update, condition string, values ddb.Item) *types.Update {
	return &types.Update{
		TableName: s.table, Key: primary(pk, sk), UpdateExpression: &update, ConditionExpression: &condition,
		ExpressionAttributeNames: reserved(update + condition), ExpressionAttributeValues: values,
	}
}

// check is a condition on one item that a transaction leaves as it is.
func (s *store) check(pk, sk, condition string, values ddb.Item) *types.ConditionCheck {
	return &types.ConditionCheck{
		TableName: s.table, Key: primary(pk, sk), ConditionExpression: &condition,
		ExpressionAttributeNames: reserved(condition), ExpressionAttributeValues: values,
	}
}

// reserved are the names of reserved words that an expression uses; none may be left over.
func reserved(expression string) map[string]string {
	if strings.Contains(expression, "#status") {
		return map[string]string{"#status": "status"}
	}
	return nil
}

// query pages through one partition of the table, or of an index, whose sort key begins with a text.
func (s *store) query(ctx context.Context, index, pk, beginning string, forward bool, limit int, after ddb.Key) ([]ddb.Item, ddb.Key, error) {
	return ddb.Query(ctx, s.client, s.asking(index, pk, beginning, forward), limit, after)
}

func (s *store) asking(index, pk, beginning string, forward bool) *dynamodb.QueryInput {
	in := &dynamodb.QueryInput{
		TableName: s.table, KeyConditionExpression: aws.String(index + "PK = :pk"),
		ExpressionAttributeValues: ddb.Item{":pk": ddb.Str(pk)}, ScanIndexForward: aws.Bool(forward),
	}
	if beginning != "" {
		in.KeyConditionExpression = aws.String(index + "PK = :pk AND begins_with(" + index + "SK, :beginning)")
		in.ExpressionAttributeValues[":beginning"] = ddb.Str(beginning)
	}
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
