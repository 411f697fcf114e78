package telemetry

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
)

// ingest is TL-P7: it writes the marker, if its batch_id is new, and the reading, or neither. markerOwner is the device
// whose marker exists already; it is empty when there was none and the reading is stored. Errors: ddb.ErrBusy means
// that a retry with the same token is right.
//
// token is the client request token of all attempts to write this reading. An attempt whose response was lost or failed
// may have written it, and the next one then still reports stored, not duplicate. A reading that is sent again after
// its marker has expired stays as it was stored, with the name that its device had then; only its marker is written
// again (TL-R7, TL-R10).
func (s *store) ingest(ctx context.Context, token string, r *Reading, m marker) (markerOwner string, err error) {
	m.BatchID, m.HardwareID = r.BatchID, r.HardwareID
	item := readingItem(r)
	markerOwner, err = s.writeMarker(ctx, &token, m, types.TransactWriteItem{Put: &types.Put{
		TableName: s.table(tableReadings), Item: item, ConditionExpression: aws.String("attribute_not_exists(ts_batch)"),
	}})
	if !errors.Is(err, errReadingCondition) {
		return markerOwner, err
	}
	return s.writeMarker(ctx, nil, m, types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{
		TableName: s.table(tableReadings), Key: ddb.Item{"hardware_id": item["hardware_id"], "ts_batch": item["ts_batch"]},
		ConditionExpression: aws.String("attribute_exists(ts_batch)"),
	}})
}

// writeMarker writes the marker, if its batch_id is new, together with an action on the reading. Errors:
// errReadingCondition.
func (s *store) writeMarker(ctx context.Context, token *string, m marker,
	reading types.TransactWriteItem) (markerOwner string, err error) {
	_, txErr := s.client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
		ClientRequestToken: token,
		TransactItems: []types.TransactWriteItem{
			{Put: &types.Put{
				TableName: s.table(tableProcessed), Item: ddb.Marshal(m),
				ConditionExpression:                 aws.String("attribute_not_exists(batch_id)"),
				ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
			}},
			reading,
		},
	})
	if txErr == nil {
		return "", nil
	}
	// Only a failed condition of the marker is a duplicate (TL-D2). Conflicts, common when many senders send the same
	// batch, and throttling are transient.
	switch failedConditions, err := ddb.MapTransactionError(txErr); {
	case err != nil:
		return "", err
	case failedConditions[0] != 0:
		return "", fmt.Errorf("%w: %w", errReadingCondition, txErr)
	}
	return cmp.Or(ddb.Text(ddb.OldItem(txErr, 0)["hardware_id"]), m.HardwareID), nil
}

// sender has the facts about a registered device that ingestion needs.
type sender struct {
	HardwareID   string    `dynamodbav:"hardware_id"`
	FriendlyName string    `dynamodbav:"friendly_name"` // empty when none is set
	LastSeenAt   Timestamp `dynamodbav:"last_seen_at"`
}

// senders returns the registered ones of up to 100 devices, by one consistent read, so that a device may deliver right
// after it registers.
func (s *store) senders(ctx context.Context, ids []string) (map[string]sender, error) {
	senders := make(map[string]sender, len(ids))
	keys := make([]map[string]types.AttributeValue, 0, len(ids))
	for _, id := range ids {
		keys = append(keys, ddb.Item{"hardware_id": ddb.Str(id)})
	}
	table := *s.table(tableDevices)
	request := map[string]types.KeysAndAttributes{table: {
		Keys: keys, ConsistentRead: aws.Bool(true),
		ProjectionExpression: aws.String("hardware_id, friendly_name, last_seen_at"),
	}}
	out, err := s.client.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: request})
	if err != nil {
		return nil, ddb.MapError(err)
	}
	for _, found := range out.Responses[table] {
		var device sender
		ddb.Unmarshal(found, &device)
		senders[device.HardwareID] = device
	}
	if len(out.UnprocessedKeys) > 0 {
		return senders, ddb.ErrBusy
	}
	return senders, nil
}

// recordActivity sets last_seen_at of a device, and its position in the listing, unless last_seen_at is later than
// before (TL-D7). Losing a race is not an error. It does not retry: if the index partition of all devices throttles it,
// the delivery does not wait, and the next delivery records the activity.
func (s *store) recordActivity(ctx context.Context, id string, now, before Timestamp) error {
	seen := expression.Name("last_seen_at")
	_, err := s.client.UpdateItem(ctx, ddb.Update(s.table(tableDevices), ddb.Item{"hardware_id": ddb.Str(id)},
		expression.Set(seen, expression.Value(now)).Set(expression.Name("gsi1sk"), expression.Value(now)),
		expression.Name("hardware_id").AttributeExists().And(seen.LessThanEqual(expression.Value(before))),
	), func(o *dynamodb.Options) { o.RetryMaxAttempts = 1 })
	if ddb.ConditionFailed(err) {
		return nil
	}
	return ddb.MapError(err)
}
