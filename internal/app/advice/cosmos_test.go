package advice

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/cosmosclient"
)

// orders returns the new container shop/orders by tenant, with a throughput in RU/s; its client does not retry.
func (p program) orders(throughput int32) *azcosmos.ContainerClient {
	p.Helper()
	client, err := cosmosclient.New(p.emulator, &azcosmos.ClientOptions{
		ClientOptions: azcore.ClientOptions{Retry: policy.RetryOptions{MaxRetries: -1}}})
	p.must(client, err)
	_, err = client.CreateDatabase(p.Context(), azcosmos.DatabaseProperties{ID: "shop"}, nil)
	p.must(nil, err)
	shop, err := client.NewDatabase("shop")
	p.must(shop, err)
	manual := azcosmos.NewManualThroughputProperties(throughput)
	_, err = shop.CreateContainer(p.Context(), azcosmos.ContainerProperties{ID: "orders",
		PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Paths: []string{"/tenant"}, Version: 2}},
		&azcosmos.CreateContainerOptions{ThroughputProperties: &manual})
	p.must(nil, err)
	orders, err := shop.NewContainer("orders")
	p.must(orders, err)
	return orders
}

var tenant = azcosmos.NewPartitionKeyString("a")

// document is a document of the tenant a.
type document map[string]any

func (p program) create(orders *azcosmos.ContainerClient, id string, more document) {
	p.Helper()
	_, err := orders.CreateItem(p.Context(), tenant, more.with(id), nil)
	p.must(nil, err)
}

// with returns the JSON of a document with an id.
func (d document) with(id string) []byte {
	all := document{"id": id, "tenant": "a"}
	for name, value := range d {
		all[name] = value
	}
	text, err := json.Marshal(all)
	if err != nil {
		panic(err)
	}
	return text
}

// ask runs a query with the parameters @id, @status and @tenant.
func (p program) ask(orders *azcosmos.ContainerClient, key azcosmos.PartitionKey, query, id string) {
	p.Helper()
	pages := orders.NewQueryItemsPager(query, key, &azcosmos.QueryOptions{QueryParameters: []azcosmos.QueryParameter{
		{Name: "@id", Value: id}, {Name: "@status", Value: "open"}, {Name: "@tenant", Value: "a"}}})
	for pages.More() {
		_, err := pages.NextPage(p.Context())
		p.must(nil, err)
	}
}

// asking creates ten documents and asks a query for each, again and again.
func asking(throughput int32, times int, key azcosmos.PartitionKey, query string) func(program) {
	return func(p program) {
		orders := p.orders(throughput)
		for i := range 10 {
			p.create(orders, fmt.Sprint(i), document{"status": "open"})
		}
		for i := range times {
			p.ask(orders, key, query, fmt.Sprint(i%10))
		}
	}
}

func TestQueryInsteadOfPointRead(t *testing.T) {
	t.Parallel()
	f := wantOneLike(t, "query-instead-of-point-read", "10 queries for one item by its id consume ",
		asking(400, 10, tenant, "SELECT * FROM c WHERE c.id = @id"))
	if !strings.HasSuffix(f.Problem, "; point reads consume about 10") {
		t.Error(f.Problem)
	}
	wantOneLike(t, "query-instead-of-point-read", "10 queries for one item by its id consume ",
		asking(400, 10, azcosmos.NewPartitionKey(), "select value o from orders o where o.tenant = @tenant and o.id=@id"))
}

// wantOneLike checks that a rule finds one thing about shop/orders, whose problem begins with a text.
func wantOneLike(t *testing.T, rule, problem string, run func(program), options ...emulator.Option) Finding {
	t.Helper()
	all := found(t, rule, run, options...)
	if len(all) != 1 || all[0].about() != "shop/orders" || !strings.HasPrefix(all[0].Problem, problem) {
		t.Fatalf("found %+v, want %s: %s", all, rule, problem)
	}
	return all[0]
}

func TestQueryInsteadOfPointReadLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	everywhere := azcosmos.NewPartitionKey()
	wantSilence(t, "query-instead-of-point-read", map[string]func(program){
		"a few":                     asking(400, 4, tenant, "SELECT * FROM c WHERE c.id = @id"),
		"without the partition key": asking(400, 10, everywhere, "SELECT * FROM c WHERE c.id = @id"),
		"a part of the item":        asking(400, 10, tenant, "SELECT c.status FROM c WHERE c.id = @id"),
		"another filter":            asking(400, 10, tenant, "SELECT * FROM c WHERE c.id = @id AND c.status = @status"),
		"one of two":                asking(400, 10, tenant, "SELECT * FROM c WHERE c.id = @id OR c.status = @status"),
		"many items":                asking(400, 10, tenant, "SELECT * FROM c WHERE c.status = @status"),
	})
}

func TestCrossPartitionQuery(t *testing.T) {
	t.Parallel()
	wantOneLike(t, "cross-partition-query", "20 queries without the partition key /tenant ask all of the 5 physical partitions",
		asking(50000, 20, azcosmos.NewPartitionKey(), "SELECT * FROM c WHERE c.status = @status"))
}

func TestCrossPartitionQueryLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	everywhere := azcosmos.NewPartitionKey()
	wantSilence(t, "cross-partition-query", map[string]func(program){
		"few partitions":         asking(400, 20, everywhere, "SELECT * FROM c WHERE c.status = @status"),
		"a few":                  asking(50000, 10, everywhere, "SELECT * FROM c WHERE c.status = @status"),
		"with the partition key": asking(50000, 20, tenant, "SELECT * FROM c WHERE c.status = @status"),
		"filtered by it":         asking(50000, 20, everywhere, "SELECT * FROM c WHERE c.tenant = @tenant AND c.status = @status"),
		"an export":              asking(50000, 20, everywhere, "SELECT * FROM c"),
	})
}

func TestLargeDocument(t *testing.T) {
	t.Parallel()
	wantOneLike(t, "large-document", "documents of up to 1,600 KB: writes fail from 2,048 KB on", func(p program) {
		p.create(p.orders(400), "1", document{"text": kilobytes(1600)})
	})
	wantSilence(t, "large-document", map[string]func(program){
		"1 MB": func(p program) { p.create(p.orders(400), "1", document{"text": kilobytes(1000)}) },
	})
}

// replacing reads documents, changes them and replaces them, or some of them, with options.
func replacing(change func(read document) document, options func(*azcosmos.ItemResponse) *azcosmos.ItemOptions) func(
	program) {
	return func(p program) {
		orders := p.orders(400)
		for i := range 5 {
			id := fmt.Sprint(i)
			p.create(orders, id, document{"status": "open", "customer": "Ann", "count": 1})
			read, err := orders.ReadItem(p.Context(), tenant, id, nil)
			p.must(nil, err)
			var d document
			p.must(nil, json.Unmarshal(read.Value, &d))
			_, err = orders.ReplaceItem(p.Context(), tenant, id, change(d).with(id), options(&read))
			p.must(nil, err)
		}
	}
}

func countsTwo(d document) document { d["count"] = 2; return d }

func withoutETag(*azcosmos.ItemResponse) *azcosmos.ItemOptions { return nil }

func TestNoETag(t *testing.T) {
	t.Parallel()
	wantOneLike(t, "no-etag", "5 documents are read, changed and replaced without If-Match", replacing(countsTwo, withoutETag))
}

func TestNoETagLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	wantSilence(t, "no-etag", map[string]func(program){
		"with the ETag": replacing(countsTwo, func(r *azcosmos.ItemResponse) *azcosmos.ItemOptions {
			return &azcosmos.ItemOptions{IfMatchEtag: &r.ETag}
		}),
		"new documents": replacing(func(document) document {
			return document{"status": "closed", "customer": "Bob"}
		}, withoutETag),
		"replaced without a read": func(p program) {
			orders := p.orders(400)
			for i := range 5 {
				id := fmt.Sprint(i)
				p.create(orders, id, document{"status": "open"})
				_, err := orders.ReplaceItem(p.Context(), tenant, id, document{"status": "closed"}.with(id), nil)
				p.must(nil, err)
			}
		},
	})
}

// filed creates documents of many properties and asks a query.
func filed(writes int, query string) func(program) {
	return func(p program) {
		orders := p.orders(4000)
		for i := range writes {
			d := document{"status": "open"}
			for n := range 12 {
				d[fmt.Sprint("property", n)] = n
			}
			p.create(orders, fmt.Sprint(i), d)
		}
		for range 20 {
			p.ask(orders, tenant, query, "1")
		}
	}
}

func TestIndexingWhatNobodyAsks(t *testing.T) {
	t.Parallel()
	f := wantOneLike(t, "indexing-what-nobody-asks", "each write indexes 12 properties that none of 20 queries filters or "+
		"orders by; 50 writes consume ", filed(50, "SELECT * FROM c WHERE c.status = @status"))
	const want = `"excludedPaths":[{"path":"/*"}],"includedPaths":[{"path":"/status/?"},{"path":"/tenant/?"}]`
	if !strings.Contains(f.Remedy, want) {
		t.Errorf("remedy %s, want %s", f.Remedy, want)
	}
}

func TestIndexingWhatNobodyAsksLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	wantSilence(t, "indexing-what-nobody-asks", map[string]func(program){
		"few writes": filed(10, "SELECT * FROM c WHERE c.status = @status"),
		"used properties": filed(50, "SELECT * FROM c WHERE c.property1 = 1 AND c.property2 > 1 AND c.property3 < 5 "+
			"ORDER BY c.property4"),
		"a query that may use any": filed(50, `SELECT * FROM c WHERE c["status"] = @status`),
	})
}

func TestRetryIgnoresRetryAfter(t *testing.T) {
	t.Parallel()
	options := []emulator.Option{standstill, emulator.WithLikeCloud(emulator.Throttling)}
	wantOneLike(t, "retry-ignores-retry-after", "5 throttled requests are sent again before the time in x-ms-retry-after-ms",
		overloading(0), options...)
	for _, f := range found(t, "retry-ignores-retry-after", overloading(10*time.Second), options...) {
		t.Errorf("found in a program that waits: %s", f.Problem)
	}
}

// overloading creates documents until a request is throttled, and repeats it after a pause, five times.
func overloading(pause time.Duration) func(program) {
	return func(p program) {
		orders := p.orders(400)
		throttled := func(id string) bool {
			_, err := orders.CreateItem(p.Context(), tenant, document{"text": kilobytes(100)}.with(id), nil)
			var refused *azcore.ResponseError
			return errors.As(err, &refused) && refused.StatusCode == http.StatusTooManyRequests
		}
		for n, round := 0, 0; round < 5; n++ {
			if throttled(fmt.Sprint(n)) {
				p.must(nil, p.emulator.Advance(pause))
				throttled(fmt.Sprint(n))
				round++
			}
		}
	}
}
