package cosmos

import (
	"net/http"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// TestAKilledCreateLeavesNoDatabaseWithoutItsThroughput looks at what is stored before and after each transaction of
// the request that creates a database, which is what a process that was killed then would leave.
func TestAKilledCreateLeavesNoDatabaseWithoutItsThroughput(t *testing.T) {
	t.Parallel()
	d := &testService{clock: clock.Manual(start)}
	var err error
	look := func() {}
	if d.store, err = store.Open(store.Options{Pause: func() { look() }}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.store.Close() })
	if d.Service, err = New(Config{Store: d.store, Clock: d.clock, Seed: 1}); err != nil {
		t.Fatal(err)
	}
	looks := 0
	check := func() {
		again, err := New(Config{Store: d.store, Clock: d.clock, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		looks++
		if databases, offers := len(again.Catalog.Databases()), len(again.Catalog.Offers()); databases != offers {
			t.Errorf("%d databases have %d offers", databases, offers)
		}
	}
	look = func() {
		outer := look
		look = func() {} // the check itself reads the store
		defer func() { look = outer }()
		check()
	}
	w := d.send(t, http.MethodPost, "/dbs\nx-ms-offer-throughput: 4000\n"+`{"id":"db"}`)
	if look(); w.Code != http.StatusCreated || looks < 3 || len(d.Catalog.Offers()) != 1 {
		t.Errorf("%d %s after %d looks", w.Code, w.Body, looks)
	}
}
