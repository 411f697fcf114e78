package emulator_test

import (
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/tabletop-db/tabletop/emulator"
)

// advance moves the clock.
func (b importBucket) advance(t *testing.T, d time.Duration) {
	t.Helper()
	if err := b.emulator.Advance(d); err != nil {
		t.Fatal(err)
	}
}

// startSlow starts a bulk operation with transitional states: it is in progress afterwards.
func (b importBucket) startSlow(t *testing.T, in *dynamodb.StartBulkPutItemsInput) *string {
	t.Helper()
	started, err := b.client.StartBulkPutItems(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return started.BulkOperationDescription.BulkOperationArn
}

// TestBulkPutsTakeTime: with transitional states an operation is IN_PROGRESS for as long as an import.
func TestBulkPutsTakeTime(t *testing.T) {
	t.Parallel()
	b := newImportBucket(t, emulator.WithLikeCloud(emulator.States))
	b.createOrders(t)
	b.advance(t, time.Minute)
	b.put(t, "a/1", line("v", 1, ""))
	arn := b.startSlow(t, bulkPut("a/"))
	b.advance(t, 89*time.Second)
	if got := b.bulk(t, arn); bulkCounts(got) != "IN_PROGRESS processed 1 failed 0 " || got.EndTime != nil {
		t.Errorf("too early: %+v", got)
	}
	b.advance(t, 87*time.Second)
	if got := b.bulk(t, arn); bulkCounts(got) != "COMPLETED processed 1 failed 0 " || got.EndTime == nil {
		t.Errorf("too late: %+v", got)
	}
}

// TestBulkPutsAreCancelled cancels an operation whose result does not appear yet, and one that is done.
func TestBulkPutsAreCancelled(t *testing.T) {
	t.Parallel()
	b := newImportBucket(t, emulator.WithLikeCloud(emulator.States))
	b.createOrders(t)
	b.advance(t, time.Minute)
	b.put(t, "a/1", line("v", 1, ""))
	arn := b.startSlow(t, bulkPut("a/"))
	for range 2 {
		out, err := b.client.CancelBulkOperation(t.Context(), &dynamodb.CancelBulkOperationInput{BulkOperationArn: arn})
		if err != nil || out.BulkOperationStatus != types.BulkOperationStatusCancelling || *out.BulkOperationArn != *arn {
			t.Fatalf("%+v, %v", out, err)
		}
	}
	if got := bulkCounts(b.bulk(t, arn)); got != "CANCELLING processed 1 failed 0 " {
		t.Error(got)
	}
	b.advance(t, 6*time.Second)
	if got := bulkCounts(b.bulk(t, arn)); got != "CANCELLED processed 1 failed 0 OperationCancelled" ||
		len(b.items(t, "orders")) != 1 {
		t.Error(got)
	}
	_, err := b.client.CancelBulkOperation(t.Context(), &dynamodb.CancelBulkOperationInput{BulkOperationArn: arn})
	wantError(t, err, "ValidationException", "is not in progress")
}

// TestBulkPutsNeedASettledTable: a table whose index is being created, and a global table, have no bulk operations; and
// a table with one cannot become a global table (developer guide, "BulkPutItems.Considerations").
func TestBulkPutsNeedASettledTable(t *testing.T) {
	t.Parallel()
	w := newWorld(t, emulator.WithLikeCloud(emulator.States))
	b := importBucket{w.emulator, w.in["us-east-1"], s3.NewFromConfig(w.emulator.AWSConfig())}
	if _, err := b.objects.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: aws.String("imports")}); err != nil {
		t.Fatal(err)
	}
	b.createOrders(t)
	var absent *types.ResourceNotFoundException
	if _, err := b.client.StartBulkPutItems(t.Context(), bulkPut("a/")); !errors.As(err, &absent) {
		t.Errorf("while it is created: %v", err)
	}
	b.advance(t, time.Minute)
	if _, err := b.client.UpdateTable(t.Context(), addingIndex("cities")); err != nil {
		t.Fatal(err)
	}
	var used *types.ResourceInUseException
	if _, err := b.client.StartBulkPutItems(t.Context(), bulkPut("a/")); !errors.As(err, &used) {
		t.Errorf("while an index is created: %v", err)
	}
	b.advance(t, 10*time.Minute)
	b.startSlow(t, bulkPut("a/"))
	if _, err := b.client.UpdateTable(t.Context(), addingReplica("eu-west-1")); !errors.As(err, &used) {
		t.Errorf("a replica during the operation: %v", err)
	}
	b.advance(t, 10*time.Minute)
	w.addReplica(t, "us-east-1", "eu-west-1")
	b.advance(t, 10*time.Minute)
	_, err := b.client.StartBulkPutItems(t.Context(), bulkPut("a/"))
	wantError(t, err, "ValidationException", "not supported for global tables")
}

// addingIndex returns a request that adds an index of an attribute to "orders".
func addingIndex(attribute string) *dynamodb.UpdateTableInput {
	return &dynamodb.UpdateTableInput{TableName: aws.String("orders"),
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: &attribute,
			AttributeType: types.ScalarAttributeTypeS}},
		GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{Create: &types.CreateGlobalSecondaryIndexAction{
			IndexName: &attribute, KeySchema: []types.KeySchemaElement{{AttributeName: &attribute,
				KeyType: types.KeyTypeHash}}, Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll}}}}}
}
