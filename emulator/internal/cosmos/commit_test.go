package cosmos

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/index"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// TestUncommittedDefinitionsHaveNoEffect makes changes of a container fail right before the commit: the state in memory
// must be unchanged.
func TestUncommittedDefinitionsHaveNoEffect(t *testing.T) {
	t.Parallel()
	d := newTestService(t)
	d.newContainer(t, "c")
	c := d.Catalog.Container("db-c", "c")
	d.MinIndexedItems = 0
	x, err := c.EnsureIndex(nil, index.Spec{Paths: index.Composite{{Steps: []doc.PathStep{{Name: "n"}}}}})
	if err != nil || x == nil {
		t.Fatal(x, err)
	}
	v, err := doc.Parse(
		[]byte(`{"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2},"indexingPolicy":{"indexingMode":"none"},"defaultTtl":5}`))
	if err != nil {
		t.Fatal(err)
	}
	def, problem := engine.ParseDefinition(v)
	if problem != nil {
		t.Fatal(problem)
	}
	was, parts, vain := c.Definition.Load(), c.Partitions(), errors.New("in vain")
	for name, change := range map[string]func(*store.Tx) error{
		"delete":    c.Drop,
		"replace":   func(tx *store.Tx) error { return c.ReplaceDefinition(tx, def) },
		"partition": func(tx *store.Tx) error { return c.Repartition(tx, engine.SplitFor(c, 2)) },
	} {
		err := d.store.Update(store.Latches{}, func(tx *store.Tx) error {
			if err := change(tx); err != nil {
				return err
			}
			return vain
		})
		if !errors.Is(err, vain) {
			t.Fatal(name, err)
		}
		if c.Deleted.Load() || c.Definition.Load() != was || c.Indexes.Find(x.Spec) != x || x.Removed.Load() ||
			!slices.Equal(c.Partitions(), parts) {
			t.Errorf("%s: memory is ahead of the store", name)
		}
	}
	if w := d.send(t, http.MethodPost, "/dbs/db-c/colls/c/docs\npk: [\"a\"]\n"+
		`{"id":"1","pk":"a","n":1}`); w.Code != http.StatusCreated {
		t.Errorf("a write after them: %d %s", w.Code, w.Body)
	}
}

// TestItemCountsSurviveSplits writes and deletes items while partitions split, because of their size and of increased
// throughput.
func TestItemCountsSurviveSplits(t *testing.T) {
	t.Parallel()
	const writers, each = 4, 150
	d := newTestService(t, func(c *Config) { c.PartitionBytes = 300 })
	d.newContainer(t, "c")
	c := d.Catalog.Container("db-c", "c")
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(uint64(w), 1))
			for n := range each {
				pk, id := random.IntN(40), random.IntN(3)
				method, text := http.MethodPost, fmt.Sprintf("/dbs/db-c/colls/c/docs\npk: [%d]\nx-ms-documentdb-is-upsert: true\n"+
					`{"id":"%d","pk":%d,"n":%d}`, pk, id, pk, n)
				if random.IntN(3) == 0 {
					method, text = http.MethodDelete, fmt.Sprintf("/dbs/db-c/colls/c/docs/%d\npk: [%d]\n", id, pk)
				}
				if w := d.send(t, method, text); w.Code >= http.StatusBadRequest && w.Code != http.StatusNotFound {
					t.Errorf("%d %s", w.Code, w.Body)
				}
			}
		})
	}
	wg.Wait()
	parts := c.Partitions()
	if len(parts) < 3 {
		t.Errorf("%d partitions: it was to be split more often", len(parts))
	}
	var counted []*engine.Partition
	for _, p := range parts {
		counted = append(counted, &engine.Partition{PartitionKeyRange: p.PartitionKeyRange})
	}
	if err := d.store.View(func(r *store.Reader) error { return c.CountItems(r, counted) }); err != nil {
		t.Fatal(err)
	}
	for i, p := range parts {
		if n, m := p.Items.Load(), counted[i].Items.Load(); n != m {
			t.Errorf("partition %s: %d items are counted, %d are there", p.ID, n, m)
		}
		if n, m := p.Bytes.Load(), counted[i].Bytes.Load(); n != m {
			t.Errorf("partition %s: %d bytes are counted, %d are there", p.ID, n, m)
		}
	}
}

// TestSingleKeyPartitionIsNotSplitOnEveryWrite checks a partition whose items all have the same key, so that a split
// leaves all of them on one side. The next split must not happen until it is twice as large.
func TestSingleKeyPartitionIsNotSplitOnEveryWrite(t *testing.T) {
	t.Parallel()
	d := newTestService(t, func(c *Config) { c.PartitionBytes = 1000 })
	d.newContainer(t, "c")
	for i := range 200 {
		if w := d.send(t, http.MethodPost, fmt.Sprintf("/dbs/db-c/colls/c/docs\npk: [\"a\"]\n"+`{"id":"%d","pk":"a"}`,
			i)); w.Code != http.StatusCreated {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	}
	if n := len(d.Catalog.Container("db-c", "c").Partitions()); n < 2 || n > 6 {
		t.Errorf("%d partitions", n)
	}
}
