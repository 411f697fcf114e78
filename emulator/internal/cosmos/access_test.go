package cosmos

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/cockroachdb/datadriven"
	"pgregory.net/rapid"
)

// logRecorder is a log handler that records the messages about queries.
type logRecorder struct {
	slog.Handler
	mu      sync.Mutex
	records []string
}

func (n *logRecorder) Enabled(context.Context, slog.Level) bool { return true }

func (n *logRecorder) Handle(_ context.Context, r slog.Record) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "found" || a.Key == "loaded" {
			n.records = append(n.records, a.Value.String())
		}
		return true
	})
	return nil
}

func (n *logRecorder) take() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	text := strings.Join(n.records, ", loaded ")
	n.records = nil
	return text
}

// indexed makes the first query build the indexes that it needs; indexed(false) prevents all indexes.
func (d *testService) indexed(is bool) *testService {
	if d.MinIndexedItems = 0; !is {
		d.MinIndexedItems = math.MaxInt64
	}
	return d
}

const testPolicy = `{"includedPaths":[{"path":"/*"},{"path":"/cp_low/?"},{"path":"/cp_sum/?"},{"path":"/cp_tags/[]/?"}],"excludedPaths":[{"path":"/secret/?"}],` +
	`"compositeIndexes":[[{"path":"/mod"},{"path":"/n","order":"descending"}],[{"path":"/cp_low"},{"path":"/n"}]]}`

const testComputed = `[{"name":"cp_low","query":"SELECT VALUE LOWER(c.text) FROM c"},{"name":"cp_sum","query":"SELECT VALUE c.mod + c.deep.a FROM c"},` +
	`{"name":"cp_tags","query":"SELECT VALUE c.tags FROM c"},{"name":"cp_free","query":"SELECT VALUE c.mod FROM c"}]`

// withComputed creates a container with the indexing policy and the computed properties of the tests.
func (d *testService) withComputed(t *testing.T) *azcosmos.ContainerClient {
	t.Helper()
	items := d.newContainer(t, "things")
	w := d.send(t, http.MethodPut, "/dbs/db-things/colls/things\n"+
		`{"id":"things","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2},"indexingPolicy":`+testPolicy+
		`,"computedProperties":`+testComputed+`}`)
	if w.Code != http.StatusOK {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	return items
}

func withPolicy(t *testing.T, policy string) func(*azcosmos.ContainerProperties) {
	t.Helper()
	p := &azcosmos.IndexingPolicy{}
	if err := json.Unmarshal([]byte(policy), p); err != nil {
		t.Fatal(err)
	}
	return func(c *azcosmos.ContainerProperties) { c.IndexingPolicy = p }
}

// TestQueriesUseAnIndex shows, for each query, the access path, the number of documents loaded, and
// the ids of its first rows. An input is a partition key, or * for all, a colon, and the query.
func TestQueriesUseAnIndex(t *testing.T) {
	t.Parallel()
	notes := &logRecorder{Handler: slog.DiscardHandler}
	items := newTestService(t, func(c *Config) { c.Logger = slog.New(notes) }).indexed(true).withComputed(t)
	fill(t, items, 60, 2)
	datadriven.RunTest(t, "testdata/access", func(t *testing.T, d *datadriven.TestData) string {
		key := azcosmos.NewPartitionKey()
		if d.HasArg("pk") {
			var pk string
			d.ScanArgs(t, "pk", &pk)
			key = azcosmos.NewPartitionKeyString(pk)
		}
		pager := items.NewQueryItemsPager(d.Input, key, &azcosmos.QueryOptions{PageSizeHint: 5})
		notes.take()
		page, err := pager.NextPage(t.Context())
		if err != nil {
			_, message, _ := strings.Cut(err.Error(), "Message: ")
			return "refused: " + strings.SplitN(message, "\n", 2)[0] + "\n"
		}
		rows := []string{}
		for _, row := range page.Items {
			rows = append(rows, string(row))
		}
		return notes.take() + "\nrows " + strings.Join(rows, ",") + "\n"
	})
}

// someQuery draws queries over the items of fill.
func someQuery(t *rapid.T) string {
	value := func() string {
		return rapid.SampledFrom([]string{"0", "1", "7", "12", "-1", "1.5", `"item 007"`, `"item 01"`, `"all"`, `"t2"`,
			`"attachments/"`, "null", "true", `""`}).Draw(t, "value")
	}
	path := func() string {
		return rapid.SampledFrom([]string{"c.n", "c.mod", "c.text", "c.id", "c.none", "c.deep.a", "c.tags", "c.pk",
			`c["mod"]`, "c._ts", "c._rid", "c._self", "c._attachments", "c.cp_low", "c.cp_sum", "c.cp_tags",
			"c.cp_free"}).Draw(t, "path")
	}
	condition := func() string {
		switch rapid.IntRange(0, 7).Draw(t, "condition") {
		case 0:
			return fmt.Sprintf("%s IN (%s, %s, %s)", path(), value(), value(), value())
		case 1:
			return fmt.Sprintf("STARTSWITH(%s, %s)", path(), rapid.SampledFrom([]string{`"item 0"`, `""`, `"t"`, `"1"`}).Draw(t,
				"prefix"))
		case 2:
			return fmt.Sprintf("ARRAY_CONTAINS(c.%s, %s)", rapid.SampledFrom([]string{"tags", "cp_tags"}).Draw(t, "array"),
				value())
		case 3:
			return rapid.SampledFrom([]string{"IS_DEFINED(c.deep.a)", "NOT IS_DEFINED(c.deep)", "IS_NULL(c.none)",
				"IS_DEFINED(c._rid)", "STARTSWITH(c._self, 'dbs/')",
				"c.tags[0] = 't2'", "NOT IS_DEFINED(c.tags[7])"}).Draw(t, "kind")
		case 4:
			return fmt.Sprintf("%s BETWEEN %s AND %s", path(), value(), value())
		case 5:
			return fmt.Sprintf("(%s = %s OR %s = %s)", path(), value(), path(), value())
		}
		return path() + rapid.SampledFrom([]string{" = ", " != ", " < ", " <= ", " > ", " >= "}).Draw(t, "op") + value()
	}
	query := "SELECT VALUE c.id FROM c"
	if rapid.Bool().Draw(t, "join") {
		query = "SELECT VALUE c.id FROM c JOIN tag IN c.tags"
	}
	if n := rapid.IntRange(0, 3).Draw(t, "conditions"); n > 0 {
		all := []string{}
		for range n {
			all = append(all, condition())
		}
		query += " WHERE " + strings.Join(all, rapid.SampledFrom([]string{" AND ", " AND ", " OR "}).Draw(t, "with"))
	}
	order := rapid.SampledFrom([]string{"", "", " ORDER BY c.n", " ORDER BY c.n DESC", " ORDER BY c.mod",
		" ORDER BY c.mod DESC", " ORDER BY c.deep.a", " ORDER BY c._rid DESC", " ORDER BY c._self",
		" ORDER BY c.tags DESC",
		" ORDER BY c.mod, c.n DESC", " ORDER BY c.mod DESC, c.n", " ORDER BY c.text DESC", " ORDER BY c.cp_low",
		" ORDER BY c.cp_sum DESC", " ORDER BY c.cp_low DESC, c.n DESC"}).Draw(t, "order")
	return query + order
}

// TestIndexesDoNotChangeResults compares the rows of queries, in order, with those of a container without indexes,
// while both containers change between queries and between pages. The row of an item that changes during a query may be
// missing, because the query may already have passed the item; each other row must appear exactly once.
func TestIndexesDoNotChangeResults(t *testing.T) {
	t.Parallel()
	with := newTestService(t).indexed(true).withComputed(t)
	without := newTestService(t).indexed(false).withComputed(t)
	both := []*azcosmos.ContainerClient{with, without}
	for _, items := range both {
		fill(t, items, 40, 2)
	}
	made := 40
	rapid.Check(t, func(rt *rapid.T) {
		query := someQuery(rt)
		key := azcosmos.NewPartitionKeyString(rapid.SampledFrom([]string{"0", "1"}).Draw(rt, "partition"))
		if !strings.Contains(query, "ORDER BY") && rapid.Bool().Draw(rt, "all partitions") {
			key = azcosmos.NewPartitionKey()
		}
		size := rapid.Int32Range(1, 20).Draw(rt, "size")
		options := &azcosmos.QueryOptions{PageSizeHint: size}
		pagers := []*itemsPager{with.NewQueryItemsPager(query, key, options), without.NewQueryItemsPager(query, key, options)}
		changed := map[string]bool{}
		var rows [2][]string
		for n := 0; (pagers[0].More() || pagers[1].More()) && n < 500; n++ {
			for i, pager := range pagers {
				rows[i] = append(rows[i], nextRows(t, rt, pager)...)
			}
			if len(changed) == 0 && !slices.Equal(rows[0], rows[1]) {
				rt.Fatalf("%s, page %d of %d rows\n\tby indexes %v\n\twithout    %v", query, n, size, rows[0], rows[1])
			}
			if !strings.Contains(query, "JOIN") { // a page may end between two rows of one item
				made = changeBoth(t, rt, both, made, changed)
			}
		}
		for i := range rows {
			rows[i] = slices.DeleteFunc(rows[i], func(id string) bool { return changed[id] })
		}
		if !slices.Equal(rows[0], rows[1]) {
			rt.Fatalf("%s, %d rows a page, but for %v\n\tby indexes %v\n\twithout    %v", query, size, changed, rows[0], rows[1])
		}
		made = changeBoth(t, rt, both, made, changed)
	})
}

type itemsPager = runtime.Pager[azcosmos.QueryItemsResponse]

// nextRows returns the rows of a query's next page; none if there is no page.
func nextRows(t *testing.T, rt *rapid.T, pager *itemsPager) (rows []string) {
	if !pager.More() {
		return nil
	}
	page, err := pager.NextPage(t.Context())
	if err != nil {
		rt.Fatal(err)
	}
	for _, row := range page.Items {
		rows = append(rows, string(row))
	}
	return rows
}

// changeBoth makes the same change to an item in both containers and records which item.
func changeBoth(t *testing.T, rt *rapid.T, both []*azcosmos.ContainerClient, made int, changed map[string]bool) int {
	id := rapid.IntRange(0, made).Draw(rt, "item")
	changed[fmt.Sprintf("%q", fmt.Sprint(id))] = true
	pk := fmt.Sprint(id % 2)
	body := fmt.Sprintf(`{"id":"%d","pk":%q,"n":%s,"mod":%d,"text":"%s","tags":%s,"deep":%s}`, id, pk,
		rapid.SampledFrom([]string{"1", "7", "7.5", `"7"`, "null", "[]", "{}"}).Draw(rt, "n"), id%3,
		rapid.SampledFrom([]string{"item 007", "", strings.Repeat("long ", 60) + pk, `item 01\u0000`}).Draw(rt, "text"),
		rapid.SampledFrom([]string{`["t1","t2","t1"]`, "[]", `"all"`, `[["all"],null]`}).Draw(rt, "tags"),
		rapid.SampledFrom([]string{`{"a":1}`, `{"a":[1,2]}`, "{}", "0"}).Draw(rt, "deep"))
	kind := rapid.IntRange(0, 3).Draw(rt, "change")
	for _, items := range both {
		switch kind {
		case 0, 1:
			if _, err := items.UpsertItem(t.Context(), azcosmos.NewPartitionKeyString(pk), []byte(body), nil); err != nil {
				rt.Fatal(err)
			}
		case 2:
			_, _ = items.DeleteItem(t.Context(), azcosmos.NewPartitionKeyString(pk), fmt.Sprint(id), nil) // it may not exist
		}
	}
	if kind < 2 {
		return max(made, id+1)
	}
	return made
}
