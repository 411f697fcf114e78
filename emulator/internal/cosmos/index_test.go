package cosmos

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/query"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// entries returns the number of entries in all indexes of a container.
func entries(t *testing.T, c *engine.Container) (n int) {
	t.Helper()
	err := c.State.Store.View(func(r *store.Reader) error {
		prefix := c.Key(engine.LetterEntry, 0)
		it := r.Iter(prefix, store.PrefixEnd(prefix), false)
		defer it.Close()
		for it.Next() {
			n++
		}
		return it.Close()
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// only returns the rows of a query's only page, joined.
func only(t *testing.T, items *azcosmos.ContainerClient, query string) string {
	t.Helper()
	return strings.Join(slices.Concat(pages(t, items, query, azcosmos.NewPartitionKeyString("0"), 100)...), ",")
}

func TestIndexesSurviveRestart(t *testing.T) {
	t.Parallel()
	d := newTestService(t).indexed(true)
	items := d.newContainer(t, "things")
	fill(t, items, 30, 2)
	const newest = "SELECT VALUE c.id FROM c WHERE c.n >= 26 ORDER BY c.n DESC"
	if got := only(t, items, newest); got != `"28","26"` {
		t.Fatal(got)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := New(Config{Store: d.store, Clock: d.clock, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	c := again.Catalog.Container("db-things", "things")
	if all := c.Indexes.List(); len(all) != 1 || !all[0].Ready.Load() ||
		query.IndexText(all[0].Spec) != `/"n" in the partition` {
		t.Fatalf("%+v", all)
	}
	if got, want := entries(t, c), 30; got != want {
		t.Errorf("%d entries, not %d", got, want)
	}
}

func TestExcludingAPathDropsItsIndex(t *testing.T) {
	t.Parallel()
	d := newTestService(t).indexed(true)
	items := d.newContainer(t, "things")
	fill(t, items, 30, 1)
	const query = "SELECT VALUE c.id FROM c WHERE c.n = 7"
	const ordered = "SELECT VALUE c.id FROM c WHERE c.n > 27 ORDER BY c.n"
	c := d.Catalog.Container("db-things", "things")
	for round, excluded := range []bool{false, true, false} {
		properties := azcosmos.ContainerProperties{ID: "things", PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{
			Paths: []string{"/pk"}, Version: 2}}
		if excluded {
			withPolicy(t, `{"includedPaths":[{"path":"/*"}],"excludedPaths":[{"path":"/n/?"}]}`)(&properties)
		}
		if _, err := items.Replace(t.Context(), properties, nil); err != nil {
			t.Fatal(err)
		}
		if n := entries(t, c); excluded && n != 0 && len(c.Indexes.List()) == 0 {
			t.Errorf("%d entries of no index are left", n)
		}
		if got := only(t, items, query); got != `"7"` {
			t.Errorf("round %d: %s", round, got)
		}
		_, err := items.NewQueryItemsPager(ordered, azcosmos.NewPartitionKeyString("0"), nil).NextPage(t.Context())
		if excluded {
			wantStatus(t, err, http.StatusBadRequest)
		} else if err != nil {
			t.Error(err)
		}
		if _, err := items.UpsertItem(t.Context(), azcosmos.NewPartitionKeyString("0"),
			[]byte(fmt.Sprintf(`{"id":"x%d","pk":"0","n":1}`, round)), nil); err != nil {
			t.Fatal(err)
		}
	}
	if got := only(t, items, "SELECT VALUE c.id FROM c WHERE c.n = 1"); got != `"1","x0","x1","x2"` {
		t.Error(got)
	}
}

// TestIndexIsBuiltDuringWrites builds indexes while items are created, replaced and deleted. In the end, each
// index must contain each item exactly once.
func TestIndexIsBuiltDuringWrites(t *testing.T) {
	t.Parallel()
	d := newTestService(t).indexed(true)
	items := d.newContainer(t, "things")
	var group sync.WaitGroup
	for w := range 3 {
		group.Go(func() {
			key := azcosmos.NewPartitionKeyString("0")
			for i := range 60 {
				id := fmt.Sprintf("%d-%d", w, i%20)
				body := fmt.Sprintf(`{"id":%q,"pk":"0","n":%d,"tags":[%d,%d]}`, id, i, i%3, i%5)
				if _, err := items.UpsertItem(t.Context(), key, []byte(body), nil); err != nil {
					t.Error(err)
				}
				if i%7 == 0 {
					_, _ = items.DeleteItem(t.Context(), key, id, nil)
				}
			}
		})
	}
	group.Go(func() {
		for i := range 20 {
			for _, query := range []string{"SELECT VALUE c.n FROM c ORDER BY c.n",
				"SELECT VALUE c.n FROM c WHERE ARRAY_CONTAINS(c.tags, 1)", "SELECT VALUE c.n FROM c WHERE c.id > '1'"} {
				if _, err := items.NewQueryItemsPager(query, azcosmos.NewPartitionKeyString("0"),
					nil).NextPage(t.Context()); err != nil {
					t.Errorf("%d: %v", i, err)
				}
			}
		}
	})
	group.Wait()
	c := d.Catalog.Container("db-things", "things")
	count := len(slices.Concat(pages(t, items, "SELECT VALUE c.id FROM c WHERE LENGTH(c.id) > 0",
		azcosmos.NewPartitionKeyString("0"), 100)...))
	want := 0
	for _, x := range c.Indexes.List() {
		if !x.Spec.Elements() {
			want += count
		}
	}
	tags := only(t, items, "SELECT VALUE SUM(c.tags[0] = c.tags[1] ? 1 : 2) FROM c")
	var n int
	if _, err := fmt.Sscan(tags, &n); err != nil {
		t.Fatal(err)
	}
	if got := entries(t, c); got != want+n {
		t.Errorf("%d entries, not %d of values and %d of elements", got, want, n)
	}
}
