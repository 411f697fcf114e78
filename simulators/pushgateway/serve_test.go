package pushgateway_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/simulators/pushgateway"
)

// TestForeignPagesReadNoDeliveries checks that web pages that somebody visits cannot read what phones received.
func TestForeignPagesReadNoDeliveries(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- pushgateway.New(pushgateway.Config{}).Serve(ctx, listener) }()
	defer func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	for _, c := range []struct {
		host, origin string
		status       int
	}{{"", "", 200}, {"gateway:8090", "", 200}, {"rebound.example", "", 403}, {"", "https://evil.example", 403}} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+listener.Addr().String()+
			"/gateway/deliveries", nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.Host = c.host; c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if _ = res.Body.Close(); res.StatusCode != c.status {
			t.Errorf("by %q from %q: %d", c.host, c.origin, res.StatusCode)
		}
	}
}

// TestTheRootIsAGuide checks that a gateway's URL alone says what it serves, with links to itself.
func TestTheRootIsAGuide(t *testing.T) {
	t.Parallel()
	d := newTestGateway(t, pushgateway.Config{})
	deliveries := d.url + "/gateway/deliveries"
	if guide := d.get(t, d.url+"/"); guide != pushgateway.Guide(d.url) || !strings.Contains(guide, deliveries) {
		t.Errorf("the guide is %q", guide)
	}
	if page := d.get(t, deliveries); !strings.Contains(page, `"deliveries"`) {
		t.Errorf("%s has %q", deliveries, page)
	}
}

// get returns the body of a page, which must exist.
func (d *testGateway) get(t *testing.T, url string) string {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s %s, %v", url, res.Status, body, err)
	}
	return string(body)
}
