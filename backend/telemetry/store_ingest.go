package telemetry

import (
	"cmp"
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
)

// ingest is TL-P7: the marker if its batch_id is new, and the reading, or neither. holder is the device whose marker
// was there already, empty where nobody's was and the reading is stored; ddb.ErrBusy means that nothing was written and
// trying again is right.
//
// The SDK sends one client request token with all tries of one call, so an answer that was lost on the way and
// fetched by its retry still says stored, not duplicate. The reading has no condition of its own: sent again after
// its marker has expired, it replaces itself (TL-R10).
func (s *store) ingest(ctx context.Context, r *Reading, m marker) (holder string, err error) {
	m.BatchID, m.HardwareID = r.BatchID, r.HardwareID
	_, cancelled := s.client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
		TransactItems: []types.TransactWriteItem{
			{Put: &types.Put{
				TableName: s.table(tableProcessed), Item: ddb.Marshal(m),
				ConditionExpression:                 aws.String("attribute_not_exists(batch_id)"),
				ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
			}},
			{Put: &types.Put{TableName: s.table(tableReadings), Item: readingItem(r)}},
		},
	})
	if cancelled == nil {
		return "", nil
	}
	// Only a failed condition at the marker's place is a duplicate (TL-D2). A conflict, usual when many senders race
	// with one batch, and throttling pass by themselves.
	switch unmet, err := ddb.Cancelled(cancelled); {
	case err != nil:
		return "", err
	case unmet[0] != 0:
		return "", fmt.Errorf("a reading has no condition, and yet: %w", cancelled)
	}
	return cmp.Or(ddb.Text(ddb.Old(cancelled, 0)["hardware_id"]), r.HardwareID), nil
}

// sender is what ingestion needs to know of a registered device.
type sender struct {
	HardwareID   string    `dynamodbav:"hardware_id"`
	FriendlyName string    `dynamodbav:"friendly_name"` // empty where none is set
	LastSeenAt   Timestamp `dynamodbav:"last_seen_at"`
}

// senders looks up many devices at once, at most 100: those of them that are registered. The read is consistent, so a
// device may deliver right after it registers.
func (s *store) senders(ctx context.Context, ids []string) (map[string]sender, error) {
	senders := make(map[string]sender, len(ids))
	keys := make([]map[string]types.AttributeValue, 0, len(ids))
	for _, id := range ids {
		keys = append(keys, ddb.Item{"hardware_id": ddb.Str(id)})
	}
	table := *s.table(tableDevices)
	ask := map[string]types.KeysAndAttributes{table: {
		Keys: keys, ConsistentRead: aws.Bool(true), ProjectionExpression: aws.String("hardware_id, friendly_name, last_seen_at"),
	}}
	out, err := s.client.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: ask})
	if err != nil {
		return nil, ddb.Failure(err)
	}
	for _, found := range out.Responses[table] {
		var one sender
		ddb.Unmarshal(found, &one)
		senders[one.HardwareID] = one
	}
	if len(out.UnprocessedKeys) > 0 {
		return senders, ddb.ErrBusy
	}
	return senders, nil
}

// noteActivity sets last_seen_at of a device, and its place in the listing, unless that is later than before (TL-D7).
// Whoever comes second in a race finds it set, which is no error. It is sent once: where the index partition of all
// devices throttles it, the delivery does not wait, and the next one notes the activity.
func (s *store) noteActivity(ctx context.Context, id string, now, before Timestamp) error {
	seen := expression.Name("last_seen_at")
	_, err := s.client.UpdateItem(ctx, ddb.Update(s.table(tableDevices), ddb.Item{"hardware_id": ddb.Str(id)},
		expression.Set(seen, expression.Value(now)).Set(expression.Name("gsi1sk"), expression.Value(now)),
		expression.Name("hardware_id").AttributeExists().And(seen.LessThanEqual(expression.Value(before))),
	), func(o *dynamodb.Options) { o.RetryMaxAttempts = 1 })
	if ddb.Unmet(err) {
		return nil
	}
	return ddb.Failure(err)
}
