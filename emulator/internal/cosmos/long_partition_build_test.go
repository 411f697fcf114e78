package cosmos

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/index"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

// longContainer returns a service with a long partition, of the key a, which a page of the feed has found to be long.
func longContainer(t *testing.T, options ...func(*Config)) (*testService, *engine.Container) {
	t.Helper()
	d := longPartition(t, "a", "b", `{"id":"c","partitionKey":{"paths":["/pk"],"version":2}}`, options...)
	d.limitScripts(time.Minute)
	d.readPage(t)
	return d, d.Catalog.Container("db", "c")
}

// readPage reads the first page of the feed of the long partition.
func (d *testService) readPage(t *testing.T) {
	t.Helper()
	d.mustSend(t, http.MethodGet, "/dbs/db/colls/c/docs\npk: [\"a\"]\nx-ms-max-item-count: 10")
}

// ofItems is the spec of the index of the items of each logical partition.
var ofItems = index.Spec{Scoped: true}

// buildItemIndex builds the index of the items of each logical partition.
func (d *testService) buildItemIndex(t *testing.T) {
	t.Helper()
	if x, err := d.Catalog.Container("db", "c").EnsureIndex(nil, ofItems); x == nil || err != nil {
		t.Fatal(x, err)
	}
}

// TestLongPartitionsAreReadWhileAnIndexIsBuilt reads a long partition while another request builds an index of the
// container: neither a feed nor a stored procedure waits for that.
func TestLongPartitionsAreReadWhileAnIndexIsBuilt(t *testing.T) {
	t.Parallel()
	d, c := longContainer(t)
	d.mustSend(t, http.MethodPost, "/dbs/db/colls/c/sprocs\n"+doc.Object(doc.Member{Name: "id",
		Value: doc.String("read")}, doc.Member{Name: "body", Value: doc.String(readPages)}).JSON())
	if err := c.Indexes.Building.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer c.Indexes.Building.Open()
	if ids := d.feed(t, "a", func() {}); len(ids) != longItems {
		t.Errorf("%d items of %d", len(ids), longItems)
	}
	if status, body := d.execute(t, "read", `["list"]`); status != http.StatusOK {
		t.Errorf("%d %.200s", status, body)
	}
}

// TestAPageDoesNotWaitToBuildAnIndex reads pages of a long partition while another request makes a paced step, such as
// for an index of its own: they do not wait for its end, and build nothing.
func TestAPageDoesNotWaitToBuildAnIndex(t *testing.T) {
	t.Parallel()
	pool := budget.NewPool(budget.DefaultPool)
	d, c := longContainer(t, func(config *Config) { config.Pool = pool })
	other := budget.New(t.Context(), budget.Limits{Pool: pool})
	if err := other.BeginPaced(); err != nil {
		t.Fatal(err)
	}
	await.Return(t, "a page beside a paced step", func() { d.readPage(t) })
	if c.Indexes.Find(ofItems) != nil {
		t.Error("the page began to build an index")
	}
	other.Close()
	if d.readPage(t); c.Indexes.Find(ofItems) == nil {
		t.Error("the next page did not begin to build an index")
	}
}

// TestScriptsBuildNoIndex executes a stored procedure and a write with a trigger in a container with a long partition.
func TestScriptsBuildNoIndex(t *testing.T) {
	t.Parallel()
	d, c := longContainer(t)
	d.mustSend(t, http.MethodPost, "/dbs/db/colls/c/sprocs\n"+doc.Object(doc.Member{Name: "id",
		Value: doc.String("read")}, doc.Member{Name: "body", Value: doc.String(readPages)}).JSON())
	d.mustSend(t, http.MethodPost, "/dbs/db/colls/c/triggers\n"+
		`{"id":"none","body":"function(){}","triggerType":"pre","triggerOperation":"create"}`)
	if status, body := d.execute(t, "read", `["list"]`); status != http.StatusOK {
		t.Errorf("%d %.200s", status, body)
	}
	d.mustSend(t, http.MethodPost, "/dbs/db/colls/c/docs\npk: [\"b\"]\nx-ms-documentdb-pre-trigger-include: none\n"+
		`{"id":"new","pk":"b"}`)
	if c.Indexes.Find(ofItems) != nil {
		t.Error("they began to build an index")
	}
}

// buildForAMoment continues the build of the index for so short a time that it makes one step.
func buildForAMoment(ctx context.Context, t *testing.T, c *engine.Container) (*index.Index, error) {
	t.Helper()
	return c.AdvanceIndex(budget.New(ctx, budget.Limits{Time: 1}), ofItems)
}

// TestAPageBuildsPartOfAnIndex builds the index of a container in requests that have no time for more than one step.
// Each continues where the last one ended, also if a client gave up between them, and pages complete it.
func TestAPageBuildsPartOfAnIndex(t *testing.T) {
	t.Parallel()
	d, c := longContainer(t)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	var reached uint64
	for step := range 4 { // the first one adds no items
		if x, err := buildForAMoment(t.Context(), t, c); x != nil || err != nil {
			t.Fatalf("one step built an index of %d items, %v", c.Items(), err)
		}
		from := c.Indexes.Find(ofItems).BuildFrom
		if step > 0 && from <= reached {
			t.Errorf("step %d did not continue at %d, but ended at %d", step, reached, from)
		}
		reached = from
		if _, err := buildForAMoment(gone, t, c); err == nil {
			t.Error("a client that is gone continued the build")
		}
	}
	for c.ItemIndex() == nil {
		d.readPage(t)
	}
	d.forgetIdentities(t, "a")
	if ids := d.feed(t, "a", func() {}); len(ids) != longItems {
		t.Errorf("%d items of %d", len(ids), longItems)
	}
}

// TestScriptsRunOnceWhileAnIndexIsBuilt makes steps of a build while scripts run: they do not run again, except if the
// index became ready meanwhile. What they write is in the index, whether the build has reached the item or not.
func TestScriptsRunOnceWhileAnIndexIsBuilt(t *testing.T) {
	t.Parallel()
	d, c := longContainer(t)
	step := func() {
		if _, err := buildForAMoment(t.Context(), t, c); err != nil {
			t.Error(err)
		}
	}
	step() // it begins the build
	for _, script := range []struct {
		deletes string
		during  func()
		tries   int
	}{
		{longID(0), step, 1}, // it adds the first 200 items
		{longID(201), step, 1},
		{longID(longItems - 1), step, 1},
		{longID(longItems - 2), func() { d.buildItemIndex(t) }, 2},
	} {
		tries := 0
		if _, err := c.WriteOptimistic(t.Context(), doc.PartitionKey{doc.String("a")},
			func(tx *engine.Transaction) *wire.Error {
				if tries++; tries == 1 {
					script.during()
				}
				_, err := tx.Delete(script.deletes, engine.Conditions{})
				return err
			}); err != nil || tries != script.tries {
			t.Errorf("item %s: %v in %d tries, want %d", script.deletes, err, tries, script.tries)
		}
	}
	d.forgetIdentities(t, "a")
	if ids := d.feed(t, "a", func() {}); len(ids) != longItems-4 {
		t.Errorf("%d items of %d", len(ids), longItems-4)
	}
}
