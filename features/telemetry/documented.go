package telemetry

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/features/steps"
)

// The functions below do to the store exactly what the document says, without the service, to show the defects of the
// document.

// documentedAgain sends the document's transaction for one batch (TL-D2).
func (w *world) documentedAgain(ctx context.Context, name string) {
	r := w.sent[name]
	w.write(ctx, []types.TransactWriteItem{w.putMarker(r), w.putReading(r)})
}

// documentedDelivery sends a full delivery in one transaction (TL-D3).
func (w *world) documentedDelivery(ctx context.Context, markers string) {
	var actions []types.TransactWriteItem
	for i := range 100 {
		r := w.device("greenhouse").reading(w.Clock.Now().Add(-time.Duration(i) * time.Minute))
		if i == 0 || markers == "a marker for each" {
			actions = append(actions, w.putMarker(r))
		}
		actions = append(actions, w.putReading(r))
	}
	w.write(ctx, actions)
}

func (w *world) write(ctx context.Context, actions []types.TransactWriteItem) {
	_, w.Err = w.Client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: actions})
}

func (w *world) putMarker(r reading) types.TransactWriteItem {
	return types.TransactWriteItem{Put: &types.Put{
		TableName: w.Table("processed_batches"), ConditionExpression: aws.String("attribute_not_exists(batch_id)"),
		Item: steps.Item{"batch_id": text(r.batch()), "hardware_id": text(r["hardware_id"].(string))},
	}}
}

func (w *world) putReading(r reading) types.TransactWriteItem {
	ms := r["timestamp_ms"].(int64)
	return types.TransactWriteItem{Put: &types.Put{
		TableName: w.Table("device_readings"),
		Item: steps.Item{
			"hardware_id": text(r["hardware_id"].(string)), "ts_batch": text(fmt.Sprintf("%013d#%s", ms, r.batch())),
			"timestamp_ms": &types.AttributeValueMemberN{Value: strconv.FormatInt(ms, 10)},
		},
	}}
}

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
