package emulator_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/tabletop-db/tabletop/emulator"
)

func TestCosmosIsMeasured(t *testing.T) {
	t.Parallel()
	db := emulator.Run(t, emulator.WithManualClock(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)))
	auto := azcosmos.NewAutoscaleThroughputProperties(10_000)
	orders := makeContainer(t, db, &auto)
	if _, err := orders.CreateItem(t.Context(), azcosmos.NewPartitionKeyString("a"), []byte(`{"id":"1","pk":"a"}`), nil); err != nil {
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
