package telemetry

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// marker is the item of processed_batches that makes a batch count once.
type marker struct {
	receivedAt Timestamp
	expiresAt  int64 // epoch seconds
}

// ingest is TL-P7: the marker if its batch_id is new, and the reading, or neither. False without an error is a
// duplicate; errBusy means that nothing was written and trying again is right.
//
// The SDK sends one client request token with all tries of one call, so an answer that was lost on the way and
// fetched by its retry still says stored, not duplicate. The reading has no condition of its own: sent again after
// its marker has expired, it replaces itself (TL-R10).
func (s *store) ingest(ctx context.Context, r *Reading, m marker) (stored bool, err error) {
	_, err = s.client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
		TransactItems: []types.TransactWriteItem{
			{Put: &types.Put{
				TableName: s.table(tableProcessed), Item: markerItem(r, m),
				ConditionExpression: aws.String("attribute_not_exists(batch_id)"),
			}},
			{Put: &types.Put{TableName: s.table(tableReadings), Item: readingItem(r)}},
		},
	})
	var cancelled *types.TransactionCanceledException
	switch {
	case err == nil:
		return true, nil
	case errors.As(err, &cancelled):
		return false, cancellation(cancelled)
	default:
		return false, failure(err)
	}
}

// cancellation reads why a transaction was cancelled (TL-D2). Only a failed condition at the marker's place is a
// duplicate, which is no error; a conflict with another transaction, usual when many senders race with one batch,
// and throttling pass by themselves; anything else is the database's.
func cancellation(cancelled *types.TransactionCanceledException) error {
	reasons := cancelled.CancellationReasons
	if len(reasons) > 0 && aws.ToString(reasons[0].Code) == "ConditionalCheckFailed" {
		return nil
	}
	for _, reason := range reasons {
		switch aws.ToString(reason.Code) {
		case "TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded":
			return errBusy
		}
	}
	return failure(cancelled)
}

// deviceNames looks up many devices at once, at most 100: the friendly names, empty where none is set, of those
// that are registered. The read is consistent, so a device may deliver right after it registers.
func (s *store) deviceNames(ctx context.Context, ids []string) (map[string]string, error) {
	names := make(map[string]string, len(ids))
	keys := make([]map[string]types.AttributeValue, 0, len(ids))
	for _, id := range ids {
		keys = append(keys, item{"hardware_id": str(id)})
	}
	table := *s.table(tableDevices)
	ask := map[string]types.KeysAndAttributes{table: {
		Keys: keys, ConsistentRead: aws.Bool(true), ProjectionExpression: aws.String("hardware_id, friendly_name"),
	}}
	out, err := s.client.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: ask})
	if err != nil {
		return nil, failure(err)
	}
	for _, found := range out.Responses[table] {
		names[text(found["hardware_id"])] = text(found["friendly_name"])
	}
	if len(out.UnprocessedKeys) > 0 {
		return names, errBusy
	}
	return names, nil
}
