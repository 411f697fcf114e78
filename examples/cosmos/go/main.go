// Command orders is a small shop on Cosmos DB that uses azcosmos: what an application does with a container, one line
// per step. At the first response that is not the documented one it prints a message and exits with status 1.
//
// The endpoint comes from AZURE_COSMOS_ENDPOINT (default https://localhost:8081) and the key from AZURE_COSMOS_KEY
// (default the emulators' well-known key). Set SSL_CERT_FILE to trust the emulator's own certificate.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"slices"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

const (
	wellKnownKey = "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=="
	database     = "shop-go"
)

// order is an item. Its logical partition is one customer of a shop.
type order struct {
	ID       string `json:"id"`
	Shop     string `json:"shop"`
	Customer string `json:"customer"`
	Total    int64  `json:"total"`
	State    string `json:"state"`
}

func (o order) key() azcosmos.PartitionKey { return customer(o.Shop, o.Customer) }

func customer(shop, name string) azcosmos.PartitionKey {
	return azcosmos.NewPartitionKeyString(shop).AppendString(name)
}

func main() {
	log.SetFlags(0)
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	credential, err := azcosmos.NewKeyCredential(cmp.Or(os.Getenv("AZURE_COSMOS_KEY"), wellKnownKey))
	if err != nil {
		return err
	}
	client, err := azcosmos.NewClientWithKey(cmp.Or(os.Getenv("AZURE_COSMOS_ENDPOINT"), "https://localhost:8081"),
		credential, nil)
	if err != nil {
		return err
	}
	orders, err := create(ctx, client)
	if err != nil {
		return err
	}
	for _, step := range []func(context.Context, *azcosmos.ContainerClient) error{
		items, concurrency, patch, batch, queries, readMany, changeFeed, throughput,
	} {
		if err := step(ctx, orders); err != nil {
			return err
		}
	}
	shop, err := client.NewDatabase(database)
	if err != nil {
		return err
	}
	_, err = shop.Delete(ctx, nil)
	return done(err, "database deleted")
}

// create deletes and recreates the container, with a partition key of two levels and throughput for two physical
// partitions.
func create(ctx context.Context, client *azcosmos.Client) (*azcosmos.ContainerClient, error) {
	shop, err := client.NewDatabase(database)
	if err != nil {
		return nil, err
	}
	if _, err := shop.Delete(ctx, nil); err != nil && !answered(err, http.StatusNotFound) {
		return nil, err
	}
	if _, err := client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: database}, nil); err != nil {
		return nil, err
	}
	capacity := azcosmos.NewManualThroughputProperties(12_000)
	_, err = shop.CreateContainer(ctx, azcosmos.ContainerProperties{
		ID: "orders",
		PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Kind: azcosmos.PartitionKeyKindMultiHash, Version: 2,
			Paths: []string{"/shop", "/customer"}},
	}, &azcosmos.CreateContainerOptions{ThroughputProperties: &capacity})
	if err != nil {
		return nil, err
	}
	orders, err := shop.NewContainer("orders")
	if err != nil {
		return nil, err
	}
	ranges, err := orders.ReadFeedRanges(ctx, nil)
	if err == nil {
		err = expect(2, len(ranges))
	}
	return orders, done(err, "container of two physical partitions")
}

// items writes twenty orders of ten customers and reads one of them.
func items(ctx context.Context, orders *azcosmos.ContainerClient) error {
	for i := range 20 {
		o := order{ID: fmt.Sprintf("o%02d", i), Shop: "north", Customer: fmt.Sprintf("c%d", i%10),
			Total: int64(10 * i), State: "open"}
		body, err := json.Marshal(o)
		if err != nil {
			return err
		}
		if _, err := orders.CreateItem(ctx, o.key(), body, nil); err != nil {
			return err
		}
	}
	got, _, err := read(ctx, orders, "o07")
	if err == nil {
		err = expect(order{ID: "o07", Shop: "north", Customer: "c7", Total: 70, State: "open"}, got)
	}
	if err != nil {
		return err
	}
	_, err = orders.ReadItem(ctx, customer("north", "c6"), "o07", nil)
	return done(refused(err, http.StatusNotFound), "items created, read; not there under another customer")
}

func read(ctx context.Context, orders *azcosmos.ContainerClient, id string) (order, azcore.ETag, error) {
	var o order
	answer, err := orders.ReadItem(ctx, customer("north", "c"+id[2:]), id, nil)
	if err != nil {
		return o, "", err
	}
	return o, answer.ETag, json.Unmarshal(answer.Value, &o)
}

// concurrency makes two writers use the same ETag; the second one must fail.
func concurrency(ctx context.Context, orders *azcosmos.ContainerClient) error {
	o, seen, err := read(ctx, orders, "o07")
	if err != nil {
		return err
	}
	o.State = "paid"
	body, err := json.Marshal(o)
	if err != nil {
		return err
	}
	if _, err := orders.ReplaceItem(ctx, o.key(), o.ID, body, &azcosmos.ItemOptions{IfMatchEtag: &seen}); err != nil {
		return err
	}
	_, err = orders.ReplaceItem(ctx, o.key(), o.ID, body, &azcosmos.ItemOptions{IfMatchEtag: &seen})
	return done(refused(err, http.StatusPreconditionFailed), "replaced by ETag; the second writer lost")
}

func patch(ctx context.Context, orders *azcosmos.ContainerClient) error {
	var change azcosmos.PatchOperations
	change.AppendIncrement("/total", 5)
	change.AppendSet("/state", "sent")
	change.SetCondition("from c where c.state = 'paid'")
	if _, err := orders.PatchItem(ctx, customer("north", "c7"), "o07", change, nil); err != nil {
		return err
	}
	_, err := orders.PatchItem(ctx, customer("north", "c7"), "o07", change, nil)
	if err := refused(err, http.StatusPreconditionFailed); err != nil {
		return err
	}
	got, _, err := read(ctx, orders, "o07")
	if err == nil {
		err = expect(order{ID: "o07", Shop: "north", Customer: "c7", Total: 75, State: "sent"}, got)
	}
	return done(err, "patched once; its condition does not hold twice")
}

// batch commits two operations of one customer together, and then checks that nothing is written if one of two
// operations fails.
func batch(ctx context.Context, orders *azcosmos.ContainerClient) error {
	good := orders.NewTransactionalBatch(customer("north", "c1"))
	good.CreateItem([]byte(`{"id":"o20","shop":"north","customer":"c1","total":1,"state":"open"}`), nil)
	good.DeleteItem("o11", nil)
	answer, err := orders.ExecuteTransactionalBatch(ctx, good, nil)
	if err == nil {
		err = expect(true, answer.Success)
	}
	if err != nil {
		return err
	}
	bad := orders.NewTransactionalBatch(customer("north", "c1"))
	bad.DeleteItem("o01", nil)
	bad.DeleteItem("o11", nil)
	if answer, err = orders.ExecuteTransactionalBatch(ctx, bad, nil); err != nil {
		return err
	}
	statuses := []int32{answer.OperationResults[0].StatusCode, answer.OperationResults[1].StatusCode}
	err = expect([]int32{http.StatusFailedDependency, http.StatusNotFound}, statuses)
	if err == nil {
		_, _, err = read(ctx, orders, "o01")
	}
	return done(err, "a batch is all or nothing")
}

// queries sorts and counts within one customer, and filters across all. azcosmos merges nothing on the client, so a
// query that needs results merged across customers is refused.
func queries(ctx context.Context, orders *azcosmos.ContainerClient) error {
	everybody := azcosmos.NewPartitionKey()
	for _, c := range []struct {
		query  string
		key    azcosmos.PartitionKey
		sorted bool
		want   []string
	}{
		{"SELECT VALUE c.id FROM c ORDER BY c.total", customer("north", "c1"), true, []string{`"o20"`, `"o01"`}},
		{"SELECT VALUE AVG(c.total) FROM c", customer("north", "c1"), true, []string{"5.5"}},
		{"SELECT VALUE c.id FROM c WHERE c.total > @least", everybody, false, []string{`"o17"`, `"o18"`, `"o19"`}},
	} {
		got, err := query(ctx, orders, c.query, c.key)
		if err != nil {
			return err
		}
		if !c.sorted {
			slices.Sort(got)
		}
		if err := expect(c.want, got); err != nil {
			return fmt.Errorf("%s: %w", c.query, err)
		}
	}
	_, err := query(ctx, orders, "SELECT VALUE COUNT(1) FROM c", everybody)
	return done(refused(err, http.StatusBadRequest), "queries of one customer and of all")
}

func query(ctx context.Context, orders *azcosmos.ContainerClient, text string, key azcosmos.PartitionKey) ([]string,
	error) {
	var rows []string
	pages := orders.NewQueryItemsPager(text, key, &azcosmos.QueryOptions{PageSizeHint: 2,
		QueryParameters: []azcosmos.QueryParameter{{Name: "@least", Value: 160}}})
	for pages.More() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		for _, row := range page.Items {
			rows = append(rows, string(row))
		}
	}
	return rows, nil
}

func readMany(ctx context.Context, orders *azcosmos.ContainerClient) error {
	answer, err := orders.ReadManyItems(ctx, []azcosmos.ItemIdentity{
		{ID: "o02", PartitionKey: customer("north", "c2")},
		{ID: "o03", PartitionKey: customer("north", "c3")},
		{ID: "o99", PartitionKey: customer("north", "c9")},
	}, nil)
	if err == nil {
		err = expect(2, len(answer.Items))
	}
	return done(err, "many read at once")
}

// changeFeed reads all changes so far, and then only the changes made after that.
func changeFeed(ctx context.Context, orders *azcosmos.ContainerClient) error {
	first, continuation, err := drain(ctx, orders, nil)
	if err == nil {
		err = expect(20, first)
	}
	if err != nil {
		return err
	}
	o := order{ID: "o30", Shop: "south", Customer: "c0", State: "open"}
	body, err := json.Marshal(o)
	if err != nil {
		return err
	}
	if _, err := orders.UpsertItem(ctx, o.key(), body, nil); err != nil {
		return err
	}
	second, _, err := drain(ctx, orders, continuation)
	if err == nil {
		err = expect(1, second)
	}
	return done(err, "change feed, and on from where it ended")
}

// drain reads the change feed of the whole container until a page is empty, and returns the number of changes.
func drain(ctx context.Context, orders *azcosmos.ContainerClient, continuation *string) (int, *string, error) {
	changes := 0
	for {
		options := &azcosmos.ChangeFeedOptions{Continuation: continuation}
		if continuation == nil {
			options.FeedRange = &azcosmos.FeedRange{MinInclusive: "", MaxExclusive: "FF"}
		}
		page, err := orders.ReadChangeFeed(ctx, options)
		if err != nil {
			return changes, nil, err
		}
		if page.ContinuationToken != "" {
			continuation = &page.ContinuationToken
		}
		if page.Count == 0 {
			return changes, continuation, nil
		}
		changes += page.Count
	}
}

func throughput(ctx context.Context, orders *azcosmos.ContainerClient) error {
	if _, err := orders.ReplaceThroughput(ctx, azcosmos.NewManualThroughputProperties(13_000), nil); err != nil {
		return err
	}
	answer, err := orders.ReadThroughput(ctx, nil)
	if err != nil {
		return err
	}
	now, _ := answer.ThroughputProperties.ManualThroughput()
	return done(expect(int32(13_000), now), "throughput read and replaced")
}

func answered(err error, status int) bool {
	var response *azcore.ResponseError
	return errors.As(err, &response) && response.StatusCode == status
}

func refused(err error, status int) error {
	if answered(err, status) {
		return nil
	}
	return fmt.Errorf("not refused with %d: %v", status, err)
}

func expect[T any](want, got T) error {
	if w, g := fmt.Sprint(want), fmt.Sprint(got); w != g {
		return fmt.Errorf("%s, not %s", g, w)
	}
	return nil
}

// done prints the step, or returns its error.
func done(err error, step string) error {
	if err != nil {
		return fmt.Errorf("%s: %w", step, err)
	}
	fmt.Println("ok:", step)
	return nil
}
