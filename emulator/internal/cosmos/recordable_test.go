package cosmos

import (
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

func TestRecordable(t *testing.T) {
	t.Parallel()
	binary := doc.AppendBinary(nil, doc.Object(doc.Member{Name: "id", Value: doc.String("1")}))
	const items, permissions = "/dbs/permissions/colls/permissions/docs/", "/dbs/d/users/u/Permissions/p"
	for _, c := range []struct{ path, body, want string }{
		{items, "", ""},
		{items, `{ "_token": "type=resource&ver=1.0&sig=a" }`, `{ "_token": "type=resource&ver=1.0&sig=a" }`},
		{items, string(binary), `{"id":"1"}`},
		{items, "\x80\xff", "\x80\xff"},
		{items, "SELECT 1", "SELECT 1"},
		{permissions, `{"id":"p","n":12345678901234567,"_token":"type=resource&ver=1.0&sig=a"}`,
			`{"id":"p","n":12345678901234567,"_token":"(not recorded)"}`},
		{permissions, `{"Permissions":[{"id":"p"},{"t":"type=resource&"}]}`,
			`{"Permissions":[{"id":"p"},{"t":"(not recorded)"}]}`},
		{permissions, `{"_token":"type=resource&`, ""},
	} {
		if got := string(Recordable(c.path, []byte(c.body))); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.path, c.body, got, c.want)
		}
	}
}
