package wire_test

import (
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/cosmosclient"
	"github.com/tabletop-db/tabletop/features/wire"
)

func TestCosmosRequestsAreRecorded(t *testing.T) {
	t.Parallel()
	var r wire.CosmosRecorder
	client, err := cosmosclient.New(emulator.Run(t), r.Options(azcosmos.ClientOptions{}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: "shop"}, nil); err != nil {
		t.Fatal(err)
	}
	db, err := client.NewDatabase("shop")
	if err != nil {
		t.Fatal(err)
	}
	properties := azcosmos.ContainerProperties{ID: "orders", PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{
		Paths: []string{"/pk"}, Version: 2}}
	if _, err := db.CreateContainer(t.Context(), properties, nil); err != nil {
		t.Fatal(err)
	}
	orders, err := db.NewContainer("orders")
	if err != nil {
		t.Fatal(err)
	}
	key := azcosmos.NewPartitionKeyString("ana")
	r.DropResponses(1, func(c wire.CosmosCall) bool { return c.Operation == "Upsert" })
	if _, err := orders.UpsertItem(t.Context(), key, []byte(`{"id":"a/b","pk":"ana"}`), nil); err == nil {
		t.Fatal("the response is not lost")
	}
	if _, err := orders.UpsertItem(t.Context(), key, []byte(`{"id":"a/b","pk":"ana"}`), nil); err != nil {
		t.Fatal(err)
	}
	pager := orders.NewQueryItemsPager("SELECT * FROM c\n WHERE c.state = @state", key,
		&azcosmos.QueryOptions{QueryParameters: []azcosmos.QueryParameter{{Name: "@state", Value: "it's"}}})
	if _, err := pager.NextPage(t.Context()); err != nil {
		t.Fatal(err)
	}
	calls := r.Calls()
	if len(calls) != 3 {
		t.Fatalf("%v", calls)
	}
	if got := calls[1].String(); !strings.HasPrefix(got,
		`Upsert of "orders" in the partition "ana", the item "a/b" (200, `) {
		t.Error(got) // 200: it replaces the item that the first one created
	}
	if got := calls[2].String(); !strings.HasPrefix(got,
		`Query of "orders" in the partition "ana": SELECT * FROM c WHERE c.state = 'it\'s' (200, `) {
		t.Error(got)
	}
}
