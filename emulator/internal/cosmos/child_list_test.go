package cosmos

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// TestListOfUsersReadsOnlyItsPage lists users one by one, with a record after them that cannot be read: a page reads no
// more users than it needs, and one that is deleted between two pages makes the list skip none.
func TestListOfUsersReadsOnlyItsPage(t *testing.T) {
	t.Parallel()
	d := shared(t) // with the user ada
	for _, user := range []string{"bea", "cyd", "dan"} {
		d.send(t, http.MethodPost, "/dbs/db/users\n"+`{"id":"`+user+`"}`)
	}
	if err := d.store.Update(store.Latches{}, func(tx *store.Tx) error {
		return tx.Set(d.Catalog.Database("db").Users().Key("eve"), []byte("damaged"))
	}); err != nil {
		t.Fatal(err)
	}
	var seen []string
	for token := ""; len(seen) < 3; {
		w := d.send(t, http.MethodGet, "/dbs/db/users\nx-ms-max-item-count: 1\nx-ms-continuation: "+token)
		if w.Code != http.StatusOK {
			t.Fatal(w.Code, w.Body)
		}
		for _, user := range parsed(t, w.Body.Bytes()).Field("Users").Elements() {
			seen = append(seen, user.Field("id").Str())
		}
		if token = w.Header().Get("X-Ms-Continuation"); token == "" {
			break
		}
		d.send(t, http.MethodDelete, "/dbs/db/users/ada")
	}
	if fmt.Sprint(seen) != "[ada bea cyd]" {
		t.Errorf("the list has %v", seen)
	}
}

// TestContainerHasAtMost25Triggers creates one trigger more than the service's quota.
func TestContainerHasAtMost25Triggers(t *testing.T) {
	t.Parallel()
	d := shared(t)
	const trigger = `{"id":"%d","body":"function () {}","triggerType":"Pre","triggerOperation":"All"}`
	for i := range 26 {
		want := http.StatusCreated
		if i == 25 {
			want = http.StatusForbidden
		}
		if w := d.send(t, http.MethodPost, "/dbs/db/colls/c/triggers\n"+fmt.Sprintf(trigger, i)); w.Code != want {
			t.Errorf("trigger %d: %d %s", i+1, w.Code, w.Body)
		}
	}
}
