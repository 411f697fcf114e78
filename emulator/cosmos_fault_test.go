package emulator_test

import (
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/tabletop-db/tabletop/emulator"
)

func TestAStaleReadOfCosmosMissesAWriteButNotItsOwnSession(t *testing.T) {
	t.Parallel()
	db := emulator.Run(t, emulator.WithManualClock(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)))
	client, err := db.CosmosClient(nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: "shop"}, nil); err != nil {
		t.Fatal(err)
	}
	shop, err := client.NewDatabase("shop")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := shop.CreateContainer(t.Context(), azcosmos.ContainerProperties{ID: "orders",
		PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Paths: []string{"/pk"}, Version: 2}}, nil); err != nil {
		t.Fatal(err)
	}
	orders, err := shop.NewContainer("orders")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Fail(emulator.Fault{Operations: []string{"ReadDocument"}, Tables: []string{"orders"}, Do: emulator.DoStale}); err != nil {
		t.Fatal(err)
	}
	key := azcosmos.NewPartitionKeyString("a")
	made, err := orders.CreateItem(t.Context(), key, []byte(`{"id":"1","pk":"a"}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := orders.ReadItem(t.Context(), key, "1", nil); err == nil {
		t.Error("a stale read sees the write of this moment")
	}
	if _, err := orders.ReadItem(t.Context(), key, "1", &azcosmos.ItemOptions{SessionToken: made.SessionToken}); err != nil {
		t.Errorf("the session does not see its own write: %v", err)
	}
}
