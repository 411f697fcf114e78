//go:build browser

package console_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/cosmosclient"
)

// ordersContainer makes a database and a container, as another client does.
func ordersContainer(t testing.TB, e *emulator.Emulator) *azcosmos.ContainerClient {
	t.Helper()
	return containerWith(t, e, nil)
}

// containerWith is ordersContainer with throughput.
func containerWith(t testing.TB, e *emulator.Emulator, rate *azcosmos.ThroughputProperties) *azcosmos.ContainerClient {
	t.Helper()
	client, err := cosmosclient.New(e, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: "shop"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	db, err := client.NewDatabase("shop")
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.CreateContainer(t.Context(), azcosmos.ContainerProperties{ID: "orders",
		PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Paths: []string{"/customer"}}},
		&azcosmos.CreateContainerOptions{ThroughputProperties: rate})
	if err != nil {
		t.Fatal(err)
	}
	container, err := db.NewContainer("orders")
	if err != nil {
		t.Fatal(err)
	}
	return container
}

func upsert(t testing.TB, container *azcosmos.ContainerClient, customer, body string) {
	t.Helper()
	_, err := container.UpsertItem(t.Context(), azcosmos.NewPartitionKeyString(customer), []byte(body), nil)
	if err != nil {
		t.Fatal(err)
	}
}

func document(t testing.TB, container *azcosmos.ContainerClient, customer, id string) string {
	t.Helper()
	out, err := container.ReadItem(t.Context(), azcosmos.NewPartitionKeyString(customer), id, nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(out.Value)
}

// TestCreateAndDeleteContainer makes a database and a container with settings, changes these, and deletes both.
func TestCreateAndDeleteContainer(t *testing.T) {
	t.Parallel()
	b := open(t, "/cosmos")
	b.sees("No databases yet")
	b.click("Create database")
	b.fill("Database", "shop")
	b.click("Create database")
	b.sees("No containers yet")
	b.click("Container")
	b.fill("Container", "events")
	b.fill("Partition key", "/tenant, /user")
	b.fill("Unique keys (optional)", "/email")
	b.fill("Default time to live (optional)", "3600")
	b.fill("Other properties", `{"computedProperties": [{"name": "lower", "query": "SELECT VALUE LOWER(c.email) FROM c"}]}`)
	b.click("Create container")
	b.sees("No results")
	b.click("Settings")
	b.sees("/tenant, /user", "/email", "SELECT VALUE LOWER(c.email) FROM c")
	b.fill("Manual, RU/s", "1000")
	b.click("Change")
	b.sees("The throughput is changed")
	b.fill("Default time to live in seconds", "-1")
	b.fill("Other properties", `{"computedProperties": [{"name": "upper", "query": "SELECT VALUE UPPER(c.email) FROM c"}]}`)
	b.click("Save settings")
	b.sees("The settings are saved", "SELECT VALUE UPPER(c.email) FROM c")
	b.click("Actions")
	b.click("Delete container…")
	b.click("Delete container")
	b.sees("The container events is deleted", "No containers yet")
	b.click("Actions")
	b.click("Delete database…")
	b.click("Delete database")
	b.sees("No databases yet")
}

// TestCosmosItems queries items, sees those of others, and edits, creates and deletes them.
func TestCosmosItems(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	container := ordersContainer(t, b.emulator)
	b.visit("/cosmos/shop/orders")
	b.sees("No results")
	upsert(t, container, "ana", `{"id":"1","customer":"ana","total":12345678901234567890,"state":"waiting"}`)
	b.sees("1 result", "waiting", "12345678901234567890", "RU")
	b.fill("SQL query", "SELECT VALUE COUNT(1) FROM c")
	b.click("Run")
	b.sees("value")
	b.fill("SQL query", "SELECT * FROM c WHERE c.state = 'waiting' ORDER BY c.total DESC")
	b.click("Run")
	b.click("Statistics")
	b.sees("Items read", "/state/?; /total/?")
	b.click("SELECT VALUE COUNT(1) FROM c") // in the history
	b.click("Run")
	b.sees("value")
	b.click("SELECT * FROM c WHERE c.state = 'waiting' ORDER BY c.total DESC")
	b.click("Run")
	b.click("1")
	b.fill("Item", `{"id":"1","customer":"ana","total":12345678901234567891,"state":"waiting"}`)
	b.click("Save if unchanged")
	b.sees("The item is saved", "12345678901234567891")
	if got := document(t, container, "ana", "1"); !strings.Contains(got, `"total":12345678901234567891`) {
		t.Error(got)
	}
	b.click("Undo")
	b.sees("Undone")
	b.click("New item")
	b.fill("Item", `{"id":"<b>2</b>","customer":"שלום","state":"waiting"}`)
	b.click("Create")
	b.sees("The item is created", "2 results", "<b>2</b>")
	b.click("<b>2</b>")
	b.click("Delete")
	b.sees("The item is deleted", "1 result")
	b.fill("SQL query", "SELEC")
	b.click("Run")
	b.sees("Syntax error", "400 BadRequest")
}

// TestCosmosSaveConflict saves an item that another client has changed meanwhile.
func TestCosmosSaveConflict(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	container := ordersContainer(t, b.emulator)
	upsert(t, container, "ana", `{"id":"1","customer":"ana","state":"open"}`)
	b.visit("/cosmos/shop/orders")
	b.click("1")
	b.fill("Item", `{"id":"1","customer":"ana","state":"mine"}`)
	upsert(t, container, "ana", `{"id":"1","customer":"ana","state":"theirs"}`)
	b.click("Save if unchanged")
	b.sees("The item has changed since it was read. Nothing was saved.")
	if got := document(t, container, "ana", "1"); !strings.Contains(got, "theirs") {
		t.Error(got)
	}
	b.click("Overwrite it")
	b.misses("Nothing was saved")
	if got := document(t, container, "ana", "1"); !strings.Contains(got, "mine") {
		t.Error(got)
	}
}

// TestContainerNamedByDots deletes a container whose name browsers remove from an address: no other is deleted with it.
func TestContainerNamedByDots(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	ordersContainer(t, b.emulator)
	client, err := cosmosclient.New(b.emulator, nil)
	if err != nil {
		t.Fatal(err)
	}
	db, err := client.NewDatabase("shop")
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.CreateContainer(t.Context(), azcosmos.ContainerProperties{ID: "..",
		PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Paths: []string{"/customer"}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	b.visit("/cosmos/shop/..;")
	b.sees("No results")
	b.click("Actions")
	b.click("Delete container…")
	b.click("Delete container")
	b.sees("The container .. is deleted", "orders")
}

// TestQueryOverPartitions runs queries whose results an SDK would merge, in a container of several physical partitions.
func TestQueryOverPartitions(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	rate := azcosmos.NewManualThroughputProperties(40_000)
	container := containerWith(t, b.emulator, &rate)
	if n := partitions(t, b.emulator); n < 2 {
		t.Fatalf("the container has %d physical partition", n)
	}
	for i := range 60 {
		customer := fmt.Sprint("c", i)
		upsert(t, container, customer, fmt.Sprintf(`{"id":"%d","customer":%q,"total":%d}`, i, customer, 7*i%60))
	}
	b.visit("/cosmos/shop/orders")
	b.sees("60 results", "Last page")
	b.fill("Items per page", "25")
	b.fill("SQL query", "SELECT VALUE c.total FROM c ORDER BY c.total DESC")
	b.click("Run")
	b.sees("25 results so far")
	b.click("Export")
	b.click("All pages as CSV")
	b.sees("orders.csv is saved")
	saved := strings.Join(strings.Fields(until[string](b, "saved")), " ")
	if want := "value:N " + countdown(60); saved != want {
		t.Errorf("the file has\n%s, want\n%s", saved, want)
	}
	b.click("Next page")
	b.click("Next page")
	b.sees("60 results", "Last page")
	shown := b.evaluate(`[...document.querySelectorAll('[aria-label=Results] tbody tr')].map((row) => row.innerText.trim()).join(' ')`)
	if want := countdown(60); shown != want {
		t.Errorf("the rows are\n%s, want\n%s", shown, want)
	}
	b.fill("SQL query", "SELECT COUNT(1) AS orders, SUM(c.total) AS sum FROM c")
	b.click("Run")
	b.sees("1 result", "1770")
}

// countdown returns the whole numbers below n, the greatest first.
func countdown(n int) string {
	var all []string
	for i := n - 1; i >= 0; i-- {
		all = append(all, fmt.Sprint(i))
	}
	return strings.Join(all, " ")
}

// partitions returns how many physical partitions the container of the tests has.
func partitions(t testing.TB, e *emulator.Emulator) int {
	t.Helper()
	response, err := http.Get(e.DynamoDBURL() + "/_tabletop/console/api/cosmos/dbs/shop/colls/orders/pkranges")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var feed struct{ PartitionKeyRanges []any }
	if err := json.NewDecoder(response.Body).Decode(&feed); err != nil {
		t.Fatal(err)
	}
	return len(feed.PartitionKeyRanges)
}
