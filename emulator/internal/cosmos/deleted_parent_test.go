package cosmos

import (
	"net/http"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/resources"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// TestNothingIsCreatedUnderADeletedParent deletes the parent of a new resource after the request has found it, and
// before the request stores the resource.
func TestNothingIsCreatedUnderADeletedParent(t *testing.T) {
	t.Parallel()
	const user, permission = `{"id":"u"}`, `{"id":"p","permissionMode":"Read","resource":"dbs/db/colls/c"}`
	for _, c := range []struct {
		name, path, body string
		changes          [][2]string
	}{
		{"a user in a database", "/dbs/db/users", user, [][2]string{{"DELETE", "/dbs/db"}}},
		{"a permission in a database", "/dbs/db/users/ada/permissions", permission, [][2]string{{"DELETE", "/dbs/db"}}},
		{"a permission of a user", "/dbs/db/users/ada/permissions", permission, [][2]string{{"DELETE", "/dbs/db/users/ada"}}},
		{"a permission of a user who is created again", "/dbs/db/users/ada/permissions", permission,
			[][2]string{{"DELETE", "/dbs/db/users/ada"}, {"POST", "/dbs/db/users\n" + `{"id":"ada"}`}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := shared(t)
			route, err := wire.ParseRoute(c.path)
			if err != nil {
				t.Fatal(err)
			}
			call := d.Start(t.Context(), operation.Request{Method: http.MethodPost, Route: route, Body: []byte(c.body)}, nil)
			if err := call.FindDatabase(); err != nil {
				t.Fatal(err)
			}
			for _, change := range c.changes {
				if w := d.send(t, change[0], change[1]); w.Code >= 300 {
					t.Fatal(change, w.Code, w.Body)
				}
			}
			before := d.storedKeys(t)
			if err := resources.CreateChild(&call); err == nil || err.Status != http.StatusNotFound {
				t.Errorf("it is answered with %v", err)
			}
			if n := d.storedKeys(t); n != before {
				t.Errorf("%d keys are stored, not %d", n, before)
			}
		})
	}
}

// storedKeys returns the number of keys in the store.
func (d *testService) storedKeys(t *testing.T) (n int) {
	t.Helper()
	if err := d.store.View(func(r *store.Reader) error {
		it := r.Iter(nil, nil, false)
		for it.Next() {
			n++
		}
		return it.Close()
	}); err != nil {
		t.Fatal(err)
	}
	return n
}
