package cosmos

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
)

// refusedQuery returns the error of a query, which must fail.
func refusedQuery(t *testing.T, items *azcosmos.ContainerClient, query string) *azcore.ResponseError {
	t.Helper()
	_, err := items.NewQueryItemsPager(query, azcosmos.NewPartitionKeyString("0"), nil).NextPage(t.Context())
	var refused *azcore.ResponseError
	if !errors.As(err, &refused) {
		t.Fatalf("%s: %v", query, err)
	}
	return refused
}

func itemOfLists(t *testing.T, items *azcosmos.ContainerClient) {
	t.Helper()
	body := `{"id":"1","pk":"0","a":[` + strings.Repeat("1,", 300) + `1]}`
	if _, err := items.CreateItem(t.Context(), azcosmos.NewPartitionKeyString("0"), []byte(body), nil); err != nil {
		t.Fatal(err)
	}
}

const gathering = "SELECT VALUE ARRAY(SELECT VALUE [x, y] FROM x IN c.a JOIN y IN c.a) FROM c"

// TestQueryBeyondItsBudgetFails checks that a query is rejected if it uses more memory than one query may, that a
// concurrent query is not, and that the memory is released.
func TestQueryBeyondItsBudgetFails(t *testing.T) {
	t.Parallel()
	pool := budget.NewPool(budget.DefaultPool)
	items := newTestService(t, func(c *Config) { c.Pool = pool }).newContainer(t, "things")
	itemOfLists(t, items)
	refused := refusedQuery(t, items, "SELECT VALUE MAKELIST([x, y, z]) FROM c JOIN x IN c.a JOIN y IN c.a JOIN z IN c.a")
	if refused.StatusCode != http.StatusBadRequest || !strings.Contains(refused.Error(), "SC3009") {
		t.Error(refused)
	}
	if got := pages(t, items, "SELECT VALUE c.id FROM c", azcosmos.NewPartitionKeyString("0"), 10); len(got) != 1 ||
		got[0][0] != `"1"` {
		t.Errorf("another query answers %v", got)
	}
	if pool.Used() != 0 || pool.Peak() == 0 {
		t.Errorf("the pool holds %d bytes, at most %d", pool.Used(), pool.Peak())
	}
}

// TestQueryWithoutMemoryIsThrottled checks that a query is throttled with a retry delay while other requests hold the
// memory, and succeeds when they are done.
func TestQueryWithoutMemoryIsThrottled(t *testing.T) {
	t.Parallel()
	pool := budget.NewPool(256 << 20)
	items := newTestService(t, func(c *Config) { c.Pool = pool }).newContainer(t, "things")
	itemOfLists(t, items)
	if !pool.Take(255<<20, 1) {
		t.Fatal("the pool is not empty")
	}
	refused := refusedQuery(t, items, gathering)
	if refused.StatusCode != http.StatusTooManyRequests || refused.RawResponse.Header.Get("X-Ms-Retry-After-Ms") != "500" {
		t.Errorf("%v, retry after %q", refused, refused.RawResponse.Header.Get("X-Ms-Retry-After-Ms"))
	}
	pool.Return(255 << 20)
	if got := pages(t, items, gathering, azcosmos.NewPartitionKeyString("0"), 10); len(got) != 1 {
		t.Errorf("then it answers %d pages", len(got))
	}
	if pool.Used() != 0 {
		t.Errorf("%d bytes are not given back", pool.Used())
	}
}
