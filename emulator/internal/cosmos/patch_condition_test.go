package cosmos

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/items"
)

// TestPatchConditionStopsWhenTheRequestIsCanceled checks that evaluating the condition of a patch, during which other
// writes of the partition wait, ends when the client disconnects, and that its memory is part of the memory for all
// requests.
func TestPatchConditionStopsWhenTheRequestIsCanceled(t *testing.T) {
	t.Parallel()
	pool := budget.NewPool(1 << 20)
	d := newTestService(t, func(c *Config) { c.Pool = pool })
	d.newContainer(t, "c")
	c := d.Catalog.Container("db-c", "c")
	v, err := doc.Parse([]byte(`{"id":"1","pk":"a","l":[` + strings.TrimSuffix(strings.Repeat(`"0123456789abcdef",`, 2000),
		",") + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	i, problem := engine.NewItem(c.Definition.Load(), v)
	if problem != nil {
		t.Fatal(problem)
	}
	hold := func(ctx context.Context, condition string) int {
		tx := c.NewTransaction(ctx, doc.PartitionKey{})
		if problem := items.CheckCondition(tx, i, condition); problem != nil {
			return problem.Status
		}
		return http.StatusOK
	}
	long := "FROM c WHERE (SELECT VALUE COUNT(1) FROM x IN c.l JOIN y IN c.l WHERE x = y) > 0"
	if got := hold(t.Context(), long); got != http.StatusBadRequest {
		t.Errorf("beyond its steps: %d", got)
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	if got := hold(gone, long); got != http.StatusServiceUnavailable {
		t.Errorf("after its client: %d", got)
	}
	wide := "FROM c WHERE ARRAY_LENGTH(ARRAY(SELECT VALUE CONCAT(x, x, x, x, x, x, x, x) FROM x IN c.l)) > 0"
	if got := hold(t.Context(), wide); got != http.StatusOK {
		t.Errorf("with memory: %d", got)
	}
	if !pool.Take(1<<20, 1) {
		t.Fatal("the pool is not empty")
	}
	if got := hold(t.Context(), wide); got != http.StatusTooManyRequests {
		t.Errorf("without memory: %d", got)
	}
}
