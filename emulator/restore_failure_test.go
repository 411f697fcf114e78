package emulator

import (
	"bytes"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// TestFailedRestoreChangesNothing restores an invalid snapshot: the tables do not change, and items still expire.
func TestFailedRestoreChangesNothing(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	e := Run(t, WithManualClock(noon))
	c := dynamodb.NewFromConfig(e.AWSConfig())
	makeExpiring(t, c, "sessions", noon.Add(time.Hour))
	if err := e.Restore(&Snapshot{new(store.Snapshot)}); err == nil {
		t.Fatal("what is no snapshot was restored")
	}
	if n := countItems(t, c, "sessions"); n != 1 {
		t.Fatalf("%d items after a restore that failed, want 1", n)
	}
	if err := e.Advance(72 * time.Hour); err != nil {
		t.Fatal(err)
	}
	if n := countItems(t, c, "sessions"); n != 0 {
		t.Errorf("%d items are left 71 hours after they expired", n)
	}
}

// TestASnapshotThatCannotBeLoaded restores a snapshot with a table that cannot be read: Restore returns an error,
// DynamoDB refuses requests instead of answering from deleted tables, the other services have the snapshot's state, and
// Reset repairs DynamoDB.
func TestASnapshotThatCannotBeLoaded(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	broken := Run(t, WithManualClock(noon))
	makeExpiring(t, dynamodb.NewFromConfig(broken.AWSConfig()), "unreadable", noon)
	if _, err := cosmosClient(t, broken).CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: "restored"},
		nil); err != nil {
		t.Fatal(err)
	}
	breakValue(t, broken, `"Name":"unreadable"`)
	s, err := broken.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	e := Run(t, WithManualClock(noon))
	c := dynamodb.NewFromConfig(e.AWSConfig(), func(o *dynamodb.Options) { o.RetryMaxAttempts = 1 })
	makeExpiring(t, c, "sessions", noon)
	if err := e.Restore(s); err == nil || !strings.Contains(err.Error(), "definition of a table") {
		t.Fatalf("restoring a table that cannot be read: %v", err)
	}
	if _, err := c.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("sessions")}); err == nil ||
		!strings.Contains(err.Error(), "InternalServerError") {
		t.Errorf("a table that is gone is answered by %v", err)
	}
	db, err := cosmosClient(t, e).NewDatabase("restored")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Read(t.Context(), nil); err != nil {
		t.Errorf("a database of the snapshot: %v", err)
	}
	if err := e.Advance(time.Hour); err != nil {
		t.Error(err)
	}
	if err := e.Reset(); err != nil {
		t.Fatal(err)
	}
	makeExpiring(t, c, "sessions", noon)
	if n := countItems(t, c, "sessions"); n != 1 {
		t.Errorf("%d items in a table that was made after the reset, want 1", n)
	}
}

// breakValue makes the one stored definition that contains a text unreadable.
func breakValue(t *testing.T, e *Emulator, has string) {
	t.Helper()
	err := e.store.Update(store.Latch(), func(tx *store.Tx) error {
		it := tx.Iter(nil, nil, false)
		defer it.Close()
		broken := 0
		for it.Next() {
			if bytes.Contains(it.Value(), []byte(has)) {
				broken++
				if err := tx.Set(bytes.Clone(it.Key()), []byte("{")); err != nil {
					return err
				}
			}
		}
		if broken != 1 {
			t.Errorf("%d definitions have %s", broken, has)
		}
		return it.Close()
	})
	if err != nil {
		t.Fatal(err)
	}
}

// makeExpiring creates a table with one item that expires.
func makeExpiring(t *testing.T, c *dynamodb.Client, table string, at time.Time) {
	t.Helper()
	_, err := c.CreateTable(t.Context(), &dynamodb.CreateTableInput{TableName: &table,
		BillingMode: types.BillingModePayPerRequest,
		KeySchema:   []types.KeySchemaElement{{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash}},
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("id"),
			AttributeType: types.ScalarAttributeTypeS}}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.UpdateTimeToLive(t.Context(), &dynamodb.UpdateTimeToLiveInput{TableName: &table,
		TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String("until"), Enabled: aws.Bool(true)}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &table, Item: map[string]types.AttributeValue{
		"id":    &types.AttributeValueMemberS{Value: "1"},
		"until": &types.AttributeValueMemberN{Value: strconv.FormatInt(at.Unix(), 10)}}})
	if err != nil {
		t.Fatal(err)
	}
}

func countItems(t *testing.T, c *dynamodb.Client, table string) int32 {
	t.Helper()
	out, err := c.Scan(t.Context(), &dynamodb.ScanInput{TableName: &table})
	if err != nil {
		t.Fatal(err)
	}
	return out.Count
}

// cosmosClient returns a client of the emulator's Cosmos DB without retries.
func cosmosClient(t *testing.T, e *Emulator) *azcosmos.Client {
	t.Helper()
	transport, err := e.CosmosHTTPClient()
	if err != nil {
		t.Fatal(err)
	}
	key, err := azcosmos.NewKeyCredential(e.CosmosPrimaryKey())
	if err != nil {
		t.Fatal(err)
	}
	options := azcore.ClientOptions{Transport: transport, Retry: policy.RetryOptions{MaxRetries: -1}}
	client, err := azcosmos.NewClientWithKey(e.CosmosURL(), key, &azcosmos.ClientOptions{ClientOptions: options})
	if err != nil {
		t.Fatal(err)
	}
	return client
}
