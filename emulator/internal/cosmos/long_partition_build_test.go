package cosmos

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// TestLongPartitionsAreReadWhileAnIndexIsBuilt reads a long partition while another request builds an index of the
// container: neither a feed nor a stored procedure waits for that.
func TestLongPartitionsAreReadWhileAnIndexIsBuilt(t *testing.T) {
	t.Parallel()
	d := longPartition(t, "a", "b", `{"id":"c","partitionKey":{"paths":["/pk"],"version":2}}`)
	d.limitScripts(time.Minute)
	d.mustSend(t, http.MethodPost, "/dbs/db/colls/c/sprocs\n"+doc.Object(doc.Member{Name: "id",
		Value: doc.String("read")}, doc.Member{Name: "body", Value: doc.String(readPages)}).JSON())
	building := d.Catalog.Container("db", "c").Indexes.Building
	if err := building.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer building.Open()
	if ids := d.feed(t, "a", func() {}); len(ids) != longItems {
		t.Errorf("%d items of %d", len(ids), longItems)
	}
	if status, body := d.execute(t, "read", `["list"]`); status != http.StatusOK {
		t.Errorf("%d %.200s", status, body)
	}
}

// TestAPageBuildsPartOfAnIndex builds the index of a container that is too large for one page to index. The next page
// continues where the last one ended, also if a client gave up between them.
func TestAPageBuildsPartOfAnIndex(t *testing.T) {
	t.Parallel()
	d := longPartition(t, "a", "b", `{"id":"c","partitionKey":{"paths":["/pk"],"version":2}}`)
	for i := range longItems {
		d.putLong(t, longID(i), "b")
	}
	if w := d.send(t, http.MethodGet, "/dbs/db/colls/c/docs\npk: [\"a\"]"); w.Code != http.StatusOK {
		t.Fatal(w.Code, w.Body) // it finds that the partition is too long to be listed
	}
	c := d.Catalog.Container("db", "c")
	if x, err := c.ItemIndex(nil); x != nil || err != nil {
		t.Fatalf("one page built an index of %d items, %v", c.Items(), err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.ItemIndex(budget.New(gone, budget.Limits{})); err == nil {
		t.Error("a client that is gone continued the build")
	}
	if x, err := c.ItemIndex(nil); x == nil || err != nil {
		t.Errorf("the second page did not continue the build: %v", err)
	}
	d.forgetIdentities(t, "a")
	if ids := d.feed(t, "a", func() {}); len(ids) != longItems {
		t.Errorf("%d items of %d", len(ids), longItems)
	}
}
