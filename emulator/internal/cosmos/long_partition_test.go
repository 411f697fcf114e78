package cosmos

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// longItems is the number of items of a long partition: too many to list all for each page.
const longItems = 1200

// longPartition returns a service with a long partition, of the key a, among items of the key b. The order of the ids
// is not that of creation.
func longPartition(t *testing.T, a, b, definition string, options ...func(*Config)) *testService {
	t.Helper()
	d := newTestService(t, options...)
	d.mustSend(t, http.MethodPost, "/dbs\n"+`{"id":"db"}`)
	d.mustSend(t, http.MethodPost, "/dbs/db/colls\n"+definition)
	for i := range longItems {
		d.putLong(t, longID(i), a)
		if i%100 == 0 {
			d.putLong(t, "other", b)
		}
	}
	return d
}

func longID(i int) string { return fmt.Sprintf("%04d", i*7%longItems) }

func (d *testService) putLong(t *testing.T, id, key string) {
	t.Helper()
	d.mustSend(t, http.MethodPost, fmt.Sprintf("/dbs/db/colls/c/docs\npk: [%q]\nx-ms-documentdb-is-upsert: true\n"+
		`{"id":%q,"pk":%[1]q}`, key, id))
}

// forgetIdentities deletes the list of a partition's items in the order of their ids: what finds the items from then on
// does not read it.
func (d *testService) forgetIdentities(t *testing.T, key string) {
	t.Helper()
	c, pk := d.Catalog.Container("db", "c"), doc.PartitionKey{doc.String(key)}
	prefix := c.IdentityPrefix(c.Definition.Load().Key.EPK(pk), pk)
	if err := d.store.Update(store.Latch(prefix), func(tx *store.Tx) error {
		return tx.DeleteRange(prefix, store.PrefixEnd(prefix))
	}); err != nil {
		t.Fatal(err)
	}
}

// feed reads the feed of a partition and returns the ids. It calls afterPage after the first page.
func (d *testService) feed(t *testing.T, key string, afterPage func()) (ids []string) {
	t.Helper()
	header := http.Header{"X-Ms-Documentdb-Partitionkey": {fmt.Sprintf("[%q]", key)}, "X-Ms-Max-Item-Count": {"100"}}
	for pages := 1; ; pages++ {
		w := d.do(t, http.MethodGet, "/dbs/db/colls/c/docs", header, nil)
		if w.Code != http.StatusOK {
			t.Fatal(w.Code, w.Body)
		}
		documents := parsed(t, w.Body.Bytes()).Field("Documents").Elements()
		for _, v := range documents {
			ids = append(ids, v.Field("id").Str())
		}
		next := w.Header().Get("X-Ms-Continuation")
		if next == "" {
			return ids
		}
		if len(documents) != 100 {
			t.Fatalf("page %d has %d items", pages, len(documents))
		}
		if header.Set("X-Ms-Continuation", next); pages == 1 {
			afterPage()
		}
	}
}

// TestFeedsOfLongPartitionsReadOnlyTheirPages reads a long partition page by page: once there is an index, they no
// longer list all its items.
func TestFeedsOfLongPartitionsReadOnlyTheirPages(t *testing.T) {
	t.Parallel()
	d := longPartition(t, "a", "b", `{"id":"c","partitionKey":{"paths":["/pk"],"version":2}}`)
	ids := d.feed(t, "a", func() {
		d.buildItemIndex(t)
		d.forgetIdentities(t, "a")
	})
	if len(ids) != longItems {
		t.Fatalf("%d items of %d", len(ids), longItems)
	}
	for i, id := range ids {
		if id != longID(i) {
			t.Fatalf("item %d is %s, not %s", i, id, longID(i))
		}
	}
}

// TestFeedsOfLongPartitionsTellLongKeysApart reads partitions of version 1 of the hash, which considers only the first
// 100 characters of a key.
func TestFeedsOfLongPartitionsTellLongKeysApart(t *testing.T) {
	t.Parallel()
	same := strings.Repeat("x", 100)
	d := longPartition(t, same, same+"b", `{"id":"c","partitionKey":{"paths":["/pk"]}}`)
	for range 2 {
		if ids := d.feed(t, same, func() {}); len(ids) != longItems || slices.Contains(ids, "other") {
			t.Errorf("%d items of %d", len(ids), longItems)
		}
		if ids := d.feed(t, same+"b", func() {}); !slices.Equal(ids, []string{"other"}) {
			t.Errorf("the other partition has %d items", len(ids))
		}
	}
}
