package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestConnReadsResponses reads responses with a length, in chunks, with a continuation, and one after which the server
// closes the connection.
func TestConnReadsResponses(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/chunks":
			for range 3 {
				_, _ = w.Write([]byte("abc"))
				w.(http.Flusher).Flush()
			}
		case "/close":
			w.Header().Set("Connection", "close")
			_, _ = w.Write([]byte("last"))
		default:
			w.Header().Set("X-Ms-Continuation", "more")
			w.WriteHeader(http.StatusCreated)
			_, _ = w.Write([]byte("plain"))
		}
	}))
	t.Cleanup(server.Close)
	c := &conn{addr: server.Listener.Addr().String()}
	t.Cleanup(c.close)
	for _, want := range []struct {
		path, body, next string
		status           int
	}{
		{"/", "plain", "more", 201}, {"/chunks", "abcabcabc", "", 200}, {"/close", "last", "", 200},
		{"/", "plain", "more", 201},
	} {
		status, body, err := c.do(newRequest(c.addr, "GET", want.path, "", "", ""))
		if err != nil || status != want.status || string(body) != want.body || c.continuation != want.next {
			t.Errorf("%s: %d %q %q %v", want.path, status, body, c.continuation, err)
		}
	}
}

// TestTargets checks what is printed for targets that are reached and missed.
func TestTargets(t *testing.T) {
	t.Parallel()
	r := &report{}
	r.compare("point read", []*peer{{name: "tabletop"}, {name: "other"}, {name: "bare", bare: true}}, map[string]result{
		"tabletop": {perSecond: 600}, "other": {perSecond: 300}, "bare": {perSecond: 1000},
	})
	r.atMost("ms", 1, 2)
	if got := strings.Join(r.failures(), "\n"); got != "point read relative to the fastest peer: 2.00, want at least 3" {
		t.Error(got)
	}
	if len(r.targets) != 3 {
		t.Error(r)
	}
}

func TestItemsHaveOneKilobyte(t *testing.T) {
	t.Parallel()
	if n := len(item("i00000", "p0", 0)); n < 950 || n > 1050 {
		t.Errorf("an item has %d bytes", n)
	}
}
