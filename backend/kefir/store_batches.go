package kefir

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/internal/idempotency"
)

func (s *store) createBatch(ctx context.Context, b Batch, mark idempotency.Mark) error {
	return s.create(ctx, batchItem(b), mark, string(b.BatchID))
}

// batches is KF-P2, and with a status KF-P3: the filter is the service's, so that a page may have fewer than limit.
func (s *store) batches(ctx context.Context, user string, status Status, limit int, after ddb.Key) ([]Batch, ddb.Key, error) {
	in := s.beginsWith(userPK(user), prefixBatch)
	if status != "" {
		in.FilterExpression = aws.String("#status = :status")
		in.ExpressionAttributeNames = map[string]string{"#status": "status"}
		in.ExpressionAttributeValues[":status"] = ddb.Str(status)
	}
	items, last, err := ddb.Query(ctx, s.client, in, limit, after)
	return ddb.Collect(items, batchOf), last, err
}

// findBatch is KF-P4: a batch of anybody by its id, as GSI1 has it, which may be a moment behind.
func (s *store) findBatch(ctx context.Context, id ID) (Batch, bool, error) {
	items, _, err := ddb.Query(ctx, s.client, &dynamodb.QueryInput{
		TableName: s.table, IndexName: aws.String(indexGSI1), KeyConditionExpression: aws.String("GSI1PK = :pk"),
		ExpressionAttributeValues: ddb.Item{":pk": ddb.Str(batchPK(id))},
	}, 0, nil)
	if err != nil || len(items) == 0 {
		return Batch{}, false, err
	}
	return batchOf(items[0]), true, nil
}

// batch reads a user's batch from the table, consistently.
func (s *store) batch(ctx context.Context, user string, id ID) (Batch, bool, error) {
	in, err := s.get(ctx, batchKey(user, id))
	return batchOf(in), in != nil, err
}

// changeBatch changes attributes that no index has for a key; false when there is no such batch, or one that is not in
// the stage asked for.
func (s *store) changeBatch(ctx context.Context, user string, id ID, u *update) (Batch, bool, error) {
	in, err := s.change(ctx, batchKey(user, id), u)
	return batchOf(in), in != nil, err
}

// transition writes a batch's new status (KF-R1) or stage (KF-R2) and the event that tells of it, or neither: false when
// the condition, which is on the status or stage that was read, did not hold.
func (s *store) transition(ctx context.Context, b Batch, u *update, told Event) (bool, error) {
	_, err := s.client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
		{Update: &types.Update{
			TableName: s.table, Key: batchKey(b.UserID, b.BatchID),
			UpdateExpression: u.expression(), ConditionExpression: u.conditionExpression(),
			ExpressionAttributeNames: u.names(), ExpressionAttributeValues: u.values(),
		}},
		{Put: &types.Put{TableName: s.table, Item: eventItem(told)}},
	}})
	if err == nil {
		return true, nil
	}
	unmet, err := ddb.Cancelled(err)
	if len(unmet) > 0 {
		return false, nil
	}
	return false, err
}

// batchesByStatus is KF-P13 over all users (KF-D1): the added index says which, the table what they are now.
func (s *store) batchesByStatus(ctx context.Context, status Status, limit int, after ddb.Key) ([]Batch, ddb.Key, error) {
	found, last, err := ddb.Query(ctx, s.client, &dynamodb.QueryInput{
		TableName: s.table, IndexName: aws.String(indexStatus), KeyConditionExpression: aws.String("GSI2PK = :status"),
		ExpressionAttributeValues: ddb.Item{":status": ddb.Str(prefixStatus + status)}, ScanIndexForward: aws.Bool(false),
	}, limit, after)
	if err != nil {
		return nil, nil, err
	}
	items, err := s.inOrder(ctx, found)
	if err != nil {
		return nil, nil, err
	}
	batches := make([]Batch, 0, len(items))
	for _, in := range items {
		if b := batchOf(in); b.Status == status { // else it moved on after the index was told
			batches = append(batches, b)
		}
	}
	return batches, last, nil
}

// inOrder reads the items whose keys an index gave, in the index's order; those that are gone are left out.
func (s *store) inOrder(ctx context.Context, found []ddb.Item) ([]ddb.Item, error) {
	type place struct{ pk, sk string }
	at := func(in ddb.Item) place { return place{ddb.Text(in["PK"]), ddb.Text(in["SK"])} }
	keys := make([]ddb.Item, 0, len(found))
	for _, in := range found {
		keys = append(keys, key(at(in).pk, at(in).sk))
	}
	items, err := ddb.GetAll(ctx, s.client, *s.table, keys, s.wait)
	if err != nil {
		return nil, err
	}
	read := make(map[place]ddb.Item, len(items))
	for _, in := range items {
		read[at(in)] = in
	}
	ordered := make([]ddb.Item, 0, len(items))
	for _, in := range found {
		if whole, ok := read[at(in)]; ok {
			ordered = append(ordered, whole)
		}
	}
	return ordered, nil
}
