package cosmos

import (
	"fmt"
	"net/http"
	"slices"
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

// TestListsContinueAfterADeletedResource deletes each resource of a list as soon as a page has it: the pages have them
// all, in order of creation.
func TestListsContinueAfterADeletedResource(t *testing.T) {
	t.Parallel()
	d := newTestService(t)
	const n = 230 // from 208 on, the texts of resource ids are in another order
	var want []string
	for i := range n {
		name := fmt.Sprint(n - i)
		want = append(want, name)
		d.send(t, http.MethodPost, "/dbs\n"+`{"id":"`+name+`"}`)
	}
	for i := range 5 {
		d.send(t, http.MethodPost, "/dbs/1/colls\n"+fmt.Sprintf(`{"id":"%d","partitionKey":{"paths":["/pk"]}}`, i))
	}
	for _, list := range []struct {
		path, name string
		want       []string
	}{
		{"/dbs/1/colls", "DocumentCollections", []string{"0", "1", "2", "3", "4"}},
		{"/dbs", "Databases", want},
	} {
		var seen []string
		for token := ""; len(seen) < len(list.want); {
			w := d.send(t, http.MethodGet, list.path+"\nx-ms-max-item-count: 1\nx-ms-continuation: "+token)
			for _, v := range parsed(t, w.Body.Bytes()).Field(list.name).Elements() {
				seen = append(seen, v.Field("id").Str())
				d.send(t, http.MethodDelete, list.path+"/"+v.Field("id").Str())
			}
			if token = w.Header().Get("X-Ms-Continuation"); token == "" {
				break
			}
		}
		if !slices.Equal(seen, list.want) {
			t.Errorf("%s: %v", list.path, seen)
		}
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
