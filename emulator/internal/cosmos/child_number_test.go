package cosmos

import (
	"net/http"
	"testing"
)

// TestUsersNeverShareTheirPermissions creates two users while the random stream returns the same number for both:
// they must have permissions of their own.
func TestUsersNeverShareTheirPermissions(t *testing.T) {
	t.Parallel()
	d := shared(t)
	for _, user := range []string{"bea", "cyd"} {
		d.Random.Seed(7)
		if w := d.send(t, http.MethodPost, "/dbs/db/users\n"+`{"id":"`+user+`"}`); w.Code != http.StatusCreated {
			t.Fatal(w.Code, w.Body)
		}
	}
	d.send(t, http.MethodPost, "/dbs/db/users/bea/permissions\n"+
		`{"id":"p","permissionMode":"read","resource":"dbs/db/colls/c"}`)
	if w := d.send(t, http.MethodGet, "/dbs/db/users/cyd/permissions/p"); w.Code != http.StatusNotFound {
		t.Error("a permission of another user:", w.Code, w.Body)
	}
}
