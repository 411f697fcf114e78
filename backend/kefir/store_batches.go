package kefir

import (
	"context"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/internal/idempotency"
)

func (s *store) createBatch(ctx context.Context, b Batch, mark idempotency.Mark) error {
	return s.create(ctx, batchItem(b), mark, string(b.BatchID))
}

// batches is KF-P2, and with a status KF-P3. The service filters, so that a page may have fewer than limit batches.
func (s *store) batches(ctx context.Context, user string, status Status, limit int, after ddb.Key) ([]Batch,
	ddb.Key, error) {
	var filter []expression.ConditionBuilder
	if status != "" {
		filter = append(filter, expression.Name("status").Equal(expression.Value(status)))
	}
	items, last, err := ddb.Query(ctx, s.client, s.beginsWith(userPK(user), prefixBatch, filter...), limit, after)
	return ddb.DecodeAll(items, batchOf), last, err
}

// findBatch is KF-P4: any user's batch by its id, as in GSI1, which may lag slightly.
func (s *store) findBatch(ctx context.Context, id ID) (Batch, bool, error) {
	items, _, err := ddb.Query(ctx, s.client, ddb.Where(&dynamodb.QueryInput{TableName: s.table,
		IndexName: aws.String(indexGSI1)},
		keyEquals("GSI1PK", batchPK(id))), 0, nil)
	if err != nil || len(items) == 0 {
		return Batch{}, false, err
	}
	return batchOf(items[0]), true, nil
}

// batch reads a user's batch from the table consistently.
func (s *store) batch(ctx context.Context, user string, id ID) (Batch, bool, error) {
	in, err := s.get(ctx, batchKey(user, id))
	return batchOf(in), in != nil, err
}

// changeBatch sets attributes that are no index keys, and removes those whose new value is an empty text or false; it
// returns false when there is no such batch, because deleting a user deletes the user's batches.
func (s *store) changeBatch(ctx context.Context, user string, id ID, changes ddb.Item) (Batch, bool, error) {
	var u expression.UpdateBuilder
	for _, name := range slices.Sorted(maps.Keys(changes)) {
		if isUnset(changes[name]) {
			u = u.Remove(expression.Name(name))
		} else {
			u = u.Set(expression.Name(name), expression.Value(changes[name]))
		}
	}
	in, err := s.updateIf(ctx, batchKey(user, id), u, expression.Name("PK").AttributeExists())
	return batchOf(in), in != nil, err
}

// isUnset reports whether a value stands for an absent attribute (KF-R7).
func isUnset(value types.AttributeValue) bool {
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		return v.Value == ""
	case *types.AttributeValueMemberBOOL:
		return !v.Value
	}
	return false
}

// transitionUpdate is a change of a batch that an event reports, and its condition.
type transitionUpdate struct {
	change    expression.UpdateBuilder
	condition expression.ConditionBuilder
}

// statusUpdate returns the change to the status in b, if the stored status is still previous.
func statusUpdate(b Batch, previous Status) transitionUpdate {
	status, keys := expression.Name("status"), b.keys()
	change := expression.Set(status, expression.Value(b.Status)).
		Set(expression.Name("GSI1SK"), expression.Value(keys.GSI1SK)).
		Set(expression.Name("GSI2PK"), expression.Value(keys.GSI2PK)).
		Set(expression.Name("GSI2SK"), expression.Value(keys.GSI2SK)).
		Set(expression.Name("updatedAt"), expression.Value(b.UpdatedAt))
	return transitionUpdate{setOrRemove(change, "archivedAt", b.ArchivedAt), status.Equal(expression.Value(previous))}
}

// stage2Update returns the change to stage 2 with the fields in b, if the batch is still in stage 1.
func stage2Update(b Batch) transitionUpdate {
	stage := expression.Name("stage")
	change := expression.Set(stage, expression.Value(b.Stage)).
		Set(expression.Name("bottleCount"), expression.Value(b.BottleCount)).
		Set(expression.Name("bottleVolumeMl"), expression.Value(b.BottleVolumeMl)).
		Set(expression.Name("targetHoursStage2"), expression.Value(b.TargetHoursStage2)).
		Set(expression.Name("startTimeStage2"), expression.Value(b.StartTimeStage2)).
		Set(expression.Name("updatedAt"), expression.Value(b.UpdatedAt))
	if b.TemperatureCStage2 != nil {
		change = change.Set(expression.Name("temperatureCStage2"), expression.Value(*b.TemperatureCStage2))
	}
	return transitionUpdate{change, stage.Equal(expression.Value(1))}
}

// transition writes a batch's new status (KF-R1) or stage (KF-R2) and its event, or neither. It returns false when the
// status or stage is no longer the one that was read.
func (s *store) transition(ctx context.Context, b Batch, m transitionUpdate, event Event) (bool, error) {
	_, err := s.client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
		{Update: ddb.InTransaction(ddb.Update(s.table, batchKey(b.UserID, b.BatchID), m.change, m.condition))},
		{Put: &types.Put{TableName: s.table, Item: eventItem(event)}},
	}})
	if err == nil {
		return true, nil
	}
	failedConditions, err := ddb.MapTransactionError(err)
	if len(failedConditions) > 0 {
		return false, nil
	}
	return false, err
}

// batchesByStatus is KF-P13 over all users (KF-D1): the added index finds the batches, and the table has their current
// state.
func (s *store) batchesByStatus(ctx context.Context, status Status, limit int, after ddb.Key) ([]Batch,
	ddb.Key, error) {
	found, last, err := ddb.Query(ctx, s.client, ddb.Where(&dynamodb.QueryInput{
		TableName: s.table, IndexName: aws.String(indexStatus), ScanIndexForward: aws.Bool(false),
	}, keyEquals("GSI2PK", prefixStatus+string(status))), limit, after)
	if err != nil {
		return nil, nil, err
	}
	items, err := s.readInOrder(ctx, found)
	if err != nil {
		return nil, nil, err
	}
	batches := make([]Batch, 0, len(items))
	for _, in := range items {
		if b := batchOf(in); b.Status == status { // otherwise its status has changed since the index was updated
			batches = append(batches, b)
		}
	}
	return batches, last, nil
}

// readInOrder reads the items whose keys an index returned, in the index's order; it leaves out items that no longer
// exist.
func (s *store) readInOrder(ctx context.Context, found []ddb.Item) ([]ddb.Item, error) {
	type primaryKey struct{ pk, sk string }
	keyOf := func(in ddb.Item) primaryKey { return primaryKey{ddb.Text(in["PK"]), ddb.Text(in["SK"])} }
	keys := make([]ddb.Item, 0, len(found))
	for _, in := range found {
		keys = append(keys, key(keyOf(in).pk, keyOf(in).sk))
	}
	items, err := ddb.GetAll(ctx, s.client, *s.table, keys, s.wait)
	if err != nil {
		return nil, err
	}
	byKey := make(map[primaryKey]ddb.Item, len(items))
	for _, in := range items {
		byKey[keyOf(in)] = in
	}
	ordered := make([]ddb.Item, 0, len(items))
	for _, in := range found {
		if item, ok := byKey[keyOf(in)]; ok {
			ordered = append(ordered, item)
		}
	}
	return ordered, nil
}
