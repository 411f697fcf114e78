package wire

import (
	"net/url"
	"testing"
)

func TestAltContentPath(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ database, container, want string }{
		{"shop", "", "dbs/shop"},
		{"shop", "orders-1", "dbs/shop/colls/orders-1"},
		{"50% ü", `a+b & "c"`, "dbs/50%25%20%C3%BC/colls/a%2Bb%20%26%20%22c%22"},
	} {
		got := AltContentPath(c.database, c.container)
		if got != c.want {
			t.Errorf("%s %s: %s, not %s", c.database, c.container, got, c.want)
		}
		// The SDK for Java decodes it as a query.
		decoded, err := url.QueryUnescape(got)
		if want := "dbs/" + c.database; err != nil || c.container == "" && decoded != want ||
			c.container != "" && decoded != want+"/colls/"+c.container {
			t.Errorf("%s is decoded as %s, %v", got, decoded, err)
		}
	}
}
