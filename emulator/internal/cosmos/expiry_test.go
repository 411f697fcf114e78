package cosmos

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// keysOf counts the keys of a container, including its expiry entries.
func (d *testService) keysOf(t *testing.T, c *engine.Container) (n int) {
	t.Helper()
	err := d.store.View(func(r *store.Reader) error {
		for _, prefix := range [][]byte{engine.ContainerPrefix(c.Number), {engine.Space, engine.PartExpiry}} {
			it := r.Iter(prefix, store.PrefixEnd(prefix), false)
			for it.Next() {
				n++
			}
			if err := it.Close(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func (d *testService) advance(t *testing.T, by time.Duration) {
	t.Helper()
	if err := d.clock.Advance(by); err != nil {
		t.Fatal(err)
	}
}

func withTTL(seconds int32) func(*azcosmos.ContainerProperties) {
	return func(p *azcosmos.ContainerProperties) {
		p.DefaultTimeToLive = &seconds
		p.UniqueKeyPolicy = &azcosmos.UniqueKeyPolicy{UniqueKeys: []azcosmos.UniqueKey{{Paths: []string{"/id"}}}}
	}
}

func (d *testService) put(t *testing.T, id, more string) {
	t.Helper()
	w := d.send(t, http.MethodPost, "/dbs/db-things/colls/things/docs\npk: [\"a\"]\nx-ms-documentdb-is-upsert: true\n"+
		fmt.Sprintf(`{"id":%q,"pk":"a"%s}`, id, more))
	if w.Code >= http.StatusBadRequest {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
}

func (d *testService) has(t *testing.T, id string) bool {
	t.Helper()
	return d.send(t, http.MethodGet, "/dbs/db-things/colls/things/docs/"+id+"\npk: [\"a\"]").Code == http.StatusOK
}

// TestItemsExpire checks that an item expires after its own time to live, or else its container's, since its last
// write, and leaves no keys behind.
func TestItemsExpire(t *testing.T) {
	t.Parallel()
	d := newTestService(t)
	d.newContainer(t, "things", withTTL(100))
	c := d.Catalog.Container("db-things", "things")
	for id, more := range map[string]string{"own": `,"ttl":10`, "default": "", "forever": `,"ttl":-1`,
		"rewritten": `,"ttl":20`} {
		d.put(t, id, more)
	}
	d.advance(t, 9*time.Second)
	if !d.has(t, "own") {
		t.Error("the item is gone before its time")
	}
	d.advance(t, 2*time.Second)
	if d.has(t, "own") {
		t.Error("the item is there after its time")
	}
	d.put(t, "rewritten", `,"ttl":20`)
	d.advance(t, 19*time.Second)
	if !d.has(t, "rewritten") {
		t.Error("a life begins at the last write")
	}
	d.advance(t, time.Hour)
	if d.has(t, "default") || d.has(t, "rewritten") || !d.has(t, "forever") {
		t.Error("after an hour one item lives on, which says so")
	}
	before := d.keysOf(t, c)
	d.put(t, "short", `,"ttl":1`)
	d.advance(t, time.Second)
	if after := d.keysOf(t, c); after != before {
		t.Errorf("what expired left %d keys behind", after-before)
	}
}

// TestContainerTimeToLiveCanChange checks that the container's current time to live applies.
func TestContainerTimeToLiveCanChange(t *testing.T) {
	t.Parallel()
	d := newTestService(t)
	items := d.newContainer(t, "things", withTTL(10))
	d.put(t, "own", `,"ttl":1000`)
	d.put(t, "default", "")
	replace := func(ttl *int32) {
		t.Helper()
		answer, err := items.Read(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		answer.ContainerProperties.DefaultTimeToLive = ttl
		if _, err := items.Replace(t.Context(), *answer.ContainerProperties, nil); err != nil {
			t.Fatal(err)
		}
	}
	replace(nil)
	d.advance(t, 2000*time.Second)
	if !d.has(t, "own") || !d.has(t, "default") {
		t.Error("where nothing expires an item is gone")
	}
	forever := int32(-1)
	replace(&forever)
	d.advance(t, time.Second)
	if d.has(t, "own") || !d.has(t, "default") {
		t.Error("an item whose own time is over goes once times are on, another one stays")
	}
	hour := int32(3600)
	replace(&hour)
	if !d.has(t, "default") {
		t.Error("an item is gone before its time")
	}
	d.advance(t, time.Hour)
	if d.has(t, "default") {
		t.Error("an item is there after its time")
	}
	if n := d.Catalog.Container("db-things", "things").Items(); n != 0 {
		t.Errorf("%d items are counted", n)
	}
}

// TestExpiryContinuesAfterRestart checks that items which expired while the service was stopped are deleted when it
// starts.
func TestExpiryContinuesAfterRestart(t *testing.T) {
	t.Parallel()
	d := newTestService(t)
	d.newContainer(t, "things", withTTL(10))
	d.put(t, "1", "")
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	d.advance(t, time.Hour)
	again, err := New(Config{Store: d.store, Clock: d.clock, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	d.advance(t, 0)
	if n := again.Catalog.Container("db-things", "things").Items(); n != 0 {
		t.Errorf("%d items are there", n)
	}
}

// TestExpiredItemsReleaseTheirUniqueKeys checks that an expired item does not block its unique keys, even before it is
// deleted.
func TestExpiredItemsReleaseTheirUniqueKeys(t *testing.T) {
	t.Parallel()
	d := newTestService(t)
	d.newContainer(t, "things", withTTL(10), func(p *azcosmos.ContainerProperties) {
		p.UniqueKeyPolicy.UniqueKeys[0].Paths[0] = "/email"
	})
	d.put(t, "1", `,"email":"x","ttl":5`)
	d.Expiry.Stop() // stops the timer, so that nothing is deleted
	d.advance(t, 6*time.Second)
	d.put(t, "2", `,"email":"x"`)
	d.Sweep()
	d.put(t, "2", `,"email":"x","n":1`)
	w := d.send(t, http.MethodPost, "/dbs/db-things/colls/things/docs\npk: [\"a\"]\n"+`{"id":"3","pk":"a","email":"x"}`)
	if w.Code != http.StatusConflict {
		t.Errorf("the key was free: %d", w.Code)
	}
}
