package cosmos

import (
	"net/http"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// TestUsersNeverShareTheirPermissions creates a permission of one of two users, which the other must not have: the
// number of a user is part of the keys of its permissions.
func TestUsersNeverShareTheirPermissions(t *testing.T) {
	t.Parallel()
	d := shared(t)
	for _, user := range []string{"bea", "cyd"} {
		if w := d.send(t, http.MethodPost, "/dbs/db/users\n"+`{"id":"`+user+`"}`); w.Code != http.StatusCreated {
			t.Fatal(w.Code, w.Body)
		}
	}
	d.mustSend(t, http.MethodPost, "/dbs/db/users/bea/permissions\n"+
		`{"id":"p","permissionMode":"read","resource":"dbs/db/colls/c"}`)
	if w := d.send(t, http.MethodGet, "/dbs/db/users/cyd/permissions/p"); w.Code != http.StatusNotFound {
		t.Error("a permission of another user:", w.Code, w.Body)
	}
}

// TestANewUserIsNumberedWithoutTheOthers creates users beside one that cannot be read: the number of a new user does
// not depend on reading all users of the database.
func TestANewUserIsNumberedWithoutTheOthers(t *testing.T) {
	t.Parallel()
	d := shared(t)
	d.send(t, http.MethodPost, "/dbs/db/users\n"+`{"id":"bea"}`)
	damaged := d.Catalog.Database("db").Users().Key("damaged")
	if err := d.store.Update(store.Latch(damaged), func(tx *store.Tx) error {
		return tx.Set(damaged, []byte("{"))
	}); err != nil {
		t.Fatal(err)
	}
	if w := d.send(t, http.MethodPost, "/dbs/db/users\n"+`{"id":"cyd"}`); w.Code != http.StatusCreated {
		t.Error(w.Code, w.Body)
	}
}
