package tracing

import (
	"net/http"
	"strings"
	"testing"
)

func TestHeader(t *testing.T) {
	t.Parallel()
	const parent, root = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "Root=1-5759e988-bd862e3fe1be46a994272793"
	for _, c := range []struct{ parent, root, want string }{
		{"", "", ""},
		{parent, "", parent},
		{"", root, root},
		{parent, root, parent},
		{"", strings.Repeat("x", 600), strings.Repeat("x", 512)},
	} {
		h := http.Header{}
		h.Set("traceparent", c.parent)
		h.Set("X-Amzn-Trace-Id", c.root)
		if got := Header(h); got != c.want {
			t.Errorf("%q and %q: %q, want %q", c.parent, c.root, got, c.want)
		}
	}
	if got := Header(nil); got != "" {
		t.Errorf("without headers: %q", got)
	}
}
