package emulator_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/console"
	"github.com/tabletop-db/tabletop/emulator/cosmosclient"
)

func TestCosmosMetrics(t *testing.T) {
	t.Parallel()
	db := emulator.Run(t, console.Option(), emulator.WithManualClock(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)))
	auto := azcosmos.NewAutoscaleThroughputProperties(10_000)
	orders := makeContainer(t, db, &auto)
	if _, err := orders.CreateItem(t.Context(), azcosmos.NewPartitionKeyString("a"), []byte(`{"id":"1","pk":"a"}`),
		nil); err != nil {
		t.Fatal(err)
	}
	metrics := textAt(t, db.DynamoDBURL()+"/metrics")
	for _, want := range []string{
		`azure_cosmosdb_total_requests{container="orders",database="shop",operation="CreateDocument",status_code="201"} 1`,
		`azure_cosmosdb_provisioned_throughput{container="orders",database="shop"} 10000`,
		`azure_cosmosdb_autoscaled_ru{container="orders",database="shop"} 1000`,
		`azure_cosmosdb_document_count{container="orders",database="shop"} 1`,
	} {
		if !strings.Contains(metrics, want) {
			t.Errorf("/metrics lacks %s", want)
		}
	}
	if heat := textAt(t, db.DynamoDBURL()+"/_tabletop/heat?table=shop/orders"); !strings.Contains(heat, `"units":`) {
		t.Errorf("the heat map does not show the write: %s", heat)
	}
}

func textAt(t *testing.T, url string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", url, res.Status, err)
	}
	return string(body)
}

// writtenTable creates a table with an item.
func writtenTable(t *testing.T, client *dynamodb.Client, name string) {
	t.Helper()
	if _, err := client.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: &name, BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("id"),
			AttributeType: types.ScalarAttributeTypeS}},
		KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash}},
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &name,
		Item: map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "1"}}}); err != nil {
		t.Fatal(err)
	}
}

// /metrics does not have series of deleted resources; it has those of resources created again under the same name.
func TestMetricsOfDeletedResourcesAreRemoved(t *testing.T) {
	t.Parallel()
	db := emulator.Run(t, console.Option())
	client := dynamodb.NewFromConfig(db.AWSConfig())
	table := func() { writtenTable(t, client, "deleted") }
	table()
	orders := makeContainer(t, db, nil)
	write := func(orders *azcosmos.ContainerClient) {
		t.Helper()
		if _, err := orders.CreateItem(t.Context(), azcosmos.NewPartitionKeyString("a"), []byte(`{"id":"1","pk":"a"}`),
			nil); err != nil {
			t.Fatal(err)
		}
	}
	write(orders)
	labels := []string{`table_name="deleted"`, `container="orders"`, `database="shop"`}
	shown := func() (all []string) {
		metrics := textAt(t, db.DynamoDBURL()+"/metrics")
		for _, label := range labels {
			if strings.Contains(metrics, label) {
				all = append(all, label)
			}
		}
		return all
	}
	if got := shown(); len(got) != len(labels) {
		t.Fatalf("before: %v", got)
	}
	if _, err := client.DeleteTable(t.Context(),
		&dynamodb.DeleteTableInput{TableName: aws.String("deleted")}); err != nil {
		t.Fatal(err)
	}
	if _, err := orders.Delete(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if got := shown(); len(got) != 1 || got[0] != labels[2] {
		t.Errorf("after table and container were deleted: %v", got)
	}
	cosmos, err := cosmosclient.New(db, nil)
	if err != nil {
		t.Fatal(err)
	}
	shop, err := cosmos.NewDatabase("shop")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := shop.Delete(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if got := shown(); len(got) != 0 {
		t.Errorf("after the database was deleted: %v", got)
	}
	table()
	write(makeContainer(t, db, nil))
	if got := shown(); len(got) != len(labels) {
		t.Errorf("after all were made again: %v", got)
	}
}
