package admin

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/control"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

func TestIdentitiesAreDescribed(t *testing.T) {
	t.Parallel()
	st, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	s, err := identity.New(identity.Config{Store: st, Clock: clock.Manual(start)})
	if err != nil {
		t.Fatal(err)
	}
	d := &testAPI{clock: clock.Manual(start), handler: New(Config{Guard: control.Guard{Addr: "127.0.0.1:8000"},
		Topics: []Topic{Identities{s}}})}
	want(t, d.do("GET", "/_tabletop/identities", ""), 200, `{"on":false,"identities":[]}`)
	const account = "/_tabletop/identities/123456789012/"
	want(t, d.do("PUT", account+"users/ana", `{"policies":["Missing"]}`), 422, `there is no policy`)
	want(t, d.do("PUT", account+"policies/Read", `{"Statement":{"Effect":"Allow"}}`), 422,
		`Statement[0]: Action is missing`)
	want(t, d.do("PUT", account+"users/ana", `{"policies":["AdministratorAccess"]}`), 200,
		`"arn":"arn:aws:iam::123456789012:user/ana","policies":["AdministratorAccess"]`)
	want(t, d.do("PUT", account+"robots/ana", `{}`), 422, "kind")
	made := d.do("POST", account+"users/ana/keys", "")
	want(t, made, 201, `"id":"AKIA`)
	var key newKey
	if err := json.Unmarshal(made.Body.Bytes(), &key); err != nil || len(key.ID) != 20 || len(key.Secret) != 40 {
		t.Errorf("%+v %v", key, err)
	}
	list := d.do("GET", "/_tabletop/identities", "")
	want(t, list, 200, `"keys":["`+key.ID+`"]`)
	if body := list.Body.String(); body == "" || list.Code != http.StatusOK || strings.Contains(body, key.Secret) {
		t.Error("the list tells a secret")
	}
	want(t, d.do("POST", account+"users/bob/keys", ""), 422, "there is no user bob")
	want(t, d.do("DELETE", account+"keys/"+key.ID, ""), 204, "")
	want(t, d.do("DELETE", account+"keys/"+key.ID, ""), 404, "there is no")
	want(t, d.do("DELETE", account+"users/ana", ""), 204, "")
	want(t, d.do("GET", "/_tabletop/identities", ""), 200, `{"on":false,"identities":[]}`)
}
