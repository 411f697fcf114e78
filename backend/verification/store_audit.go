package verification

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
)

// putEntry stores an audit entry by itself. It never replaces one: an existing item with this id is the operation's own
// entry, stored by a request whose response was lost.
func (s *store) putEntry(ctx context.Context, e AuditEntry) error {
	put := s.putNew(entryItem(e))
	_, err := s.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: put.TableName, Item: put.Item,
		ConditionExpression: put.ConditionExpression})
	if ddb.ConditionFailed(err) {
		return nil
	}
	return ddb.MapError(err)
}

// auditOfUser is VR-P7.
func (s *store) auditOfUser(ctx context.Context, user string, limit int, after ddb.Key) ([]AuditEntry, ddb.Key, error) {
	items, last, err := s.query(ctx, indexUser, userKey(user), "", false, limit, after)
	return ddb.DecodeAll(items, entryOf), last, err
}

// auditOfDay is VR-P8.
func (s *store) auditOfDay(ctx context.Context, day string, limit int, after ddb.Key) ([]AuditEntry, ddb.Key, error) {
	items, last, err := s.query(ctx, "", auditKey(day), "", false, limit, after)
	return ddb.DecodeAll(items, entryOf), last, err
}

// deleteExpiredEntry deletes an entry whose ttl has passed; it returns false when the entry is gone or not yet due.
func (s *store) deleteExpiredEntry(ctx context.Context, e AuditEntry, now int64) (bool, error) {
	expired := ddb.Build(expression.NewBuilder().WithCondition(expression.Name("ttl").LessThanEqual(
		expression.Value(now))))
	_, err := s.client.DeleteItem(ctx, &dynamodb.DeleteItemInput{
		TableName: s.table, Key: primaryKey(auditKey(e.day()), e.sortKey()),
		ConditionExpression: expired.Condition(), ExpressionAttributeNames: expired.Names(),
		ExpressionAttributeValues: expired.Values(),
	})
	if ddb.ConditionFailed(err) {
		return false, nil
	}
	return err == nil, ddb.MapError(err)
}
