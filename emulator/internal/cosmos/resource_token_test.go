package cosmos

import (
	"net/http"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

const readOfOne = "/dbs/db/colls/c/docs/1"

// TestDeletingAPermissionRevokesItsTokens checks that a token is limited by the permission in its current state: it
// stops working when the permission or its user is deleted, and loses what the permission no longer allows.
func TestDeletingAPermissionRevokesItsTokens(t *testing.T) {
	t.Parallel()
	const readAll = `{"id":"p","permissionMode":"Read","resource":"dbs/db/colls/c"}`
	const writeAll = `{"id":"p","permissionMode":"All","resource":"dbs/db/colls/c"}`
	const permission, user = "/dbs/db/users/ada/permissions/p", "/dbs/db/users/ada"
	cases := []struct {
		name, granted string
		changes       [][2]string
		reads, writes int // statuses
	}{
		{"unchanged", writeAll, nil, 200, 200},
		{"deleted", writeAll, [][2]string{{"DELETE", permission}}, 403, 403},
		{"deleted and made again", writeAll, [][2]string{{"DELETE", permission},
			{"POST", user + "/permissions\n" + writeAll}}, 403, 403},
		{"its user deleted", writeAll, [][2]string{{"DELETE", user}}, 403, 403},
		{"its user made again", writeAll, [][2]string{{"DELETE", user}, {"POST", "/dbs/db/users\n" + `{"id":"ada"}`},
			{"POST", user + "/permissions\n" + writeAll}}, 403, 403},
		{"its user renamed", writeAll, [][2]string{{"PUT", user + "\n" + `{"id":"bea"}`}}, 200, 200},
		{"narrowed to reading", writeAll, [][2]string{{"PUT", permission + "\n" + readAll}}, 200, 403},
		{"widened to writing", readAll, [][2]string{{"PUT", permission + "\n" + writeAll}}, 200, 403},
		{"narrowed to another item", writeAll, [][2]string{{"PUT", permission + "\n" + strings.Replace(writeAll, "colls/c",
			"colls/c/docs/2", 1)}}, 403, 403},
		{"narrowed to another key", writeAll,
			[][2]string{{"PUT", permission + "\n" + strings.Replace(writeAll, "}", `,"resourcePartitionKey":["b"]}`, 1)}}, 403,
			403},
		{"moved to another container", writeAll, [][2]string{{"PUT", permission + "\n" + strings.Replace(writeAll, "colls/c",
			"colls/other", 1)}}, 403, 403},
		{"renamed", writeAll, [][2]string{{"PUT", permission + "\n" + strings.Replace(writeAll, `"p"`, `"q"`, 1)}}, 403, 403},
		{"its database deleted and made again", writeAll, [][2]string{{"DELETE", "/dbs/db"},
			{"POST", "/dbs\n" + `{"id":"db"}`},
			{"POST", "/dbs/db/colls\n" + `{"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}`}}, 403, 403},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := shared(t)
			token := d.permit(t, "", c.granted)
			for _, change := range c.changes {
				if w := d.send(t, change[0], change[1]); w.Code >= 300 {
					t.Fatal(change, w.Code, w.Body)
				}
			}
			if w := d.with(t, token, "GET", readOfOne, `["a"]`, ""); w.Code != c.reads {
				t.Errorf("reading: %d, want %d: %s", w.Code, c.reads, w.Body)
			}
			if w := d.with(t, token, "PUT", readOfOne, `["a"]`, `{"id":"1","pk":"a"}`); w.Code != c.writes {
				t.Errorf("writing: %d, want %d: %s", w.Code, c.writes, w.Body)
			}
		})
	}
}

// TestRotatingTheKeyRevokesResourceTokens checks that tokens signed with previous keys are invalid after both keys were
// regenerated.
func TestRotatingTheKeyRevokesResourceTokens(t *testing.T) {
	t.Parallel()
	d := shared(t)
	token := d.permit(t, "", `{"id":"p","permissionMode":"Read","resource":"dbs/db/colls/c"}`)
	d.Keys = [][]byte{[]byte("another key of the account")}
	if w := d.with(t, token, "GET", readOfOne, `["a"]`, ""); w.Code != http.StatusUnauthorized {
		t.Error(w.Code, w.Body)
	}
}

// TestItemTokenCannotChangeTheID checks that the token of a permission for an item can neither change the item's id nor
// access another item by resource ids.
func TestItemTokenCannotChangeTheID(t *testing.T) {
	t.Parallel()
	d := shared(t)
	token := d.permit(t, "", `{"id":"p","permissionMode":"All","resource":"dbs/db/colls/c/docs/1"}`)
	if w := d.with(t, token, "PUT", readOfOne, `["a"]`, `{"id":"moved","pk":"a"}`); w.Code != http.StatusForbidden {
		t.Error("replaced by another id:", w.Code, w.Body)
	}
	if w := d.with(t, token, "GET", readOfOne, `["a"]`, ""); w.Code != http.StatusOK {
		t.Error("the item is gone:", w.Code, w.Body)
	}
	if w := d.with(t, token, "PATCH", readOfOne, `["a"]`,
		`{"operations":[{"op":"set","path":"/id","value":"moved"}]}`); w.Code < 400 {
		t.Error("patched to another id:", w.Code, w.Body)
	}
	// The id of one item equals the resource id of another.
	two, err := doc.Parse(d.send(t, http.MethodGet, "/dbs/db/colls/c/docs/2\npk: [\"b\"]").Body.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	named := two.Field("_rid").Str()
	d.send(t, http.MethodPost, "/dbs/db/colls/c/docs\npk: [\"a\"]\n"+`{"id":"`+named+`","pk":"a"}`)
	token = d.permit(t, "", `{"id":"q","permissionMode":"All","resource":"dbs/db/colls/c/docs/`+named+`"}`)
	if w := d.with(t, token, "GET", "/dbs/db/colls/c/docs/"+named, `["a"]`, ""); w.Code != http.StatusOK {
		t.Fatal("its own item:", w.Code, w.Body)
	}
	if w := d.with(t, token, "GET", "/"+two.Field("_self").Str(), `["b"]`, ""); w.Code != http.StatusForbidden {
		t.Error("by resource ids:", w.Code, w.Body)
	}
}
