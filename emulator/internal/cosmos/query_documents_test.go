package cosmos

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/query"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
)

// fill creates items 0 to n-1, alternating between the partitions "0" to "parts-1": {"id":"7","pk":"1","n":7}.
func fill(t *testing.T, items *azcosmos.ContainerClient, n, parts int) {
	t.Helper()
	for i := range n {
		pk := fmt.Sprint(i % parts)
		body := fmt.Sprintf(`{"id":"%d","pk":%q,"n":%d,"mod":%d,"text":"item %03d","tags":["t%d","all"]}`, i, pk,
			i, i%3, i, i%5)
		if _, err := items.CreateItem(t.Context(), azcosmos.NewPartitionKeyString(pk), []byte(body), nil); err != nil {
			t.Fatal(err)
		}
	}
}

// pages runs a query to its end and returns its rows by page.
func pages(t *testing.T, items *azcosmos.ContainerClient, query string, key azcosmos.PartitionKey,
	size int32) [][]string {
	t.Helper()
	pager := items.NewQueryItemsPager(query, key, &azcosmos.QueryOptions{PageSizeHint: size})
	all := [][]string{}
	for pager.More() {
		page, err := pager.NextPage(t.Context())
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		if *page.QueryMetrics == "" || page.RequestCharge <= 0 {
			t.Errorf("%s: metrics %q, %v RU", query, *page.QueryMetrics, page.RequestCharge)
		}
		rows := []string{}
		for _, row := range page.Items {
			rows = append(rows, string(row))
		}
		all = append(all, rows)
	}
	return all
}

func TestQueryPagesMatchTheService(t *testing.T) {
	t.Parallel()
	items := newTestService(t).newContainer(t, "things")
	fill(t, items, 20, 2)
	key := azcosmos.NewPartitionKeyString("0")
	for _, c := range []struct {
		query string
		key   azcosmos.PartitionKey
		want  string // the ids of each page
	}{
		{"SELECT VALUE c.id FROM c", key, `0,2,4|6,8,10|12,14,16|18`},
		{"SELECT TOP 3 VALUE c.id FROM c", key, `0,2,4`},
		{"SELECT VALUE c.id FROM c ORDER BY c.n DESC", key, `18,16,14|12,10,8|6,4,2|0`},
		{"SELECT VALUE c.id FROM c WHERE c.n < 6 ORDER BY c.n", key, `0,2,4`},
		{"SELECT VALUE c.id FROM c WHERE c.n < 6", key, `0,2,4`},
		{"SELECT VALUE c.id FROM c WHERE c.n < 6", azcosmos.NewPartitionKey(), `0,1,2|3,4,5`},
		{"SELECT VALUE c.id FROM c WHERE c.n < 5", azcosmos.NewPartitionKey(), `0,1,2|3,4`},
		{"SELECT VALUE c.id FROM c WHERE c.pk = '1' ORDER BY c.n OFFSET 1 LIMIT 3", azcosmos.NewPartitionKey(), `3,5,7`},
		{"SELECT VALUE COUNT(1) FROM c", key, `10`},
		{"SELECT VALUE c.id FROM c WHERE c.n = 100", key, ``},
	} {
		got := []string{}
		for _, page := range pages(t, items, c.query, c.key, 3) {
			got = append(got, strings.ReplaceAll(strings.Join(page, ","), `"`, ""))
		}
		if text := strings.Join(got, "|"); text != c.want {
			t.Errorf("%s: %s, not %s", c.query, text, c.want)
		}
	}
}

func TestInvalidQueriesAreRejected(t *testing.T) {
	t.Parallel()
	items := newTestService(t).newContainer(t, "things")
	fill(t, items, 2, 2)
	for query, want := range map[string]string{
		"SELECT * FROM c ORDER BY c.n": "can not be directly served by the gateway",
		"SELECT * FORM c":              "SC1001",
		"SELECT VALUE 1/0 FROM c":      "4001",
	} {
		_, err := items.NewQueryItemsPager(query, azcosmos.NewPartitionKey(), nil).NextPage(t.Context())
		wantStatus(t, err, http.StatusBadRequest)
		if err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", query, err)
		}
	}
	_, err := items.NewQueryItemsPager("SELECT * FROM c", azcosmos.NewPartitionKeyString("0"),
		&azcosmos.QueryOptions{ContinuationToken: to("forged")}).NextPage(t.Context())
	wantStatus(t, err, http.StatusBadRequest)
}

func to[T any](v T) *T { return &v }

func TestQueriesSkipExpiredItems(t *testing.T) {
	t.Parallel()
	d := newTestService(t)
	items := d.newContainer(t, "things", func(p *azcosmos.ContainerProperties) { p.DefaultTimeToLive = to(int32(60)) })
	fill(t, items, 3, 1)
	d.clock.Advance(61e9)
	fill(t, items, 1, 1)
	rows := slices.Concat(pages(t, items, "SELECT * FROM c", azcosmos.NewPartitionKeyString("0"), 10)...)
	var row struct {
		ID  string
		RID string `json:"_rid"`
	}
	if len(rows) != 1 || json.Unmarshal([]byte(rows[0]), &row) != nil || row.ID != "0" || row.RID == "" {
		t.Errorf("%q", rows)
	}
}

// querySpecOf returns a query without parameters.
func querySpecOf(t *testing.T, text string) *query.QuerySpec {
	t.Helper()
	q, err := sql.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return &query.QuerySpec{Text: text, Query: q}
}

// TestOpaqueDocuments holds that rows that a query does not read are the same, byte for byte, as rows that it reads.
func TestOpaqueDocuments(t *testing.T) {
	t.Parallel()
	items := newTestService(t).newContainer(t, "things")
	key := azcosmos.NewPartitionKeyString("0")
	for i, more := range []string{`"é":"\u00e9\ud83d\ude00\ud800"`, `"text":"\"\\\/\b\f\n\r\t\u0001\u007f"`,
		`"deep":[[{}],[]]`,
		`"numbers":[0,-0,1.50,1e3,1e-7,1e300,9007199254740993,123456789012345678901234567890]`,
		`"":null,"twice":1,"twice":{"_ts":false}`, `"_mine":true,"_rid":"other","_etag":7`} {
		body := fmt.Sprintf(`{"id":"%d","pk":"0", "n" : %d, %s }`, i, i, more)
		if _, err := items.CreateItem(t.Context(), key, []byte(body), nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, form := range []string{"SELECT * FROM c%s", "SELECT VALUE c FROM c%s"} {
		for _, order := range []string{"", " ORDER BY c.n", " ORDER BY c.n DESC"} {
			opaque, read := fmt.Sprintf(form, order), fmt.Sprintf(form, " WHERE c.n >= 0"+order)
			got, want := pages(t, items, opaque, key, 4), pages(t, items, read, key, 4)
			if fmt.Sprint(slices.Concat(got...)) != fmt.Sprint(slices.Concat(want...)) || len(want) == 0 {
				t.Errorf("%s:\n%q\n%s:\n%q", opaque, got, read, want)
			}
		}
	}
}
