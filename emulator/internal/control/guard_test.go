package control

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestGuard has one request that passes, and each way to be refused as a change of it.
func TestGuard(t *testing.T) {
	t.Parallel()
	here := Guard{Addr: "127.0.0.1:8000"}
	beyond := Guard{Addr: "0.0.0.0:8000", AllowRemote: true, Hosts: []string{"emulator"}}
	for _, c := range []struct {
		name   string
		guard  Guard
		method string
		host   string
		header string // name: value
		status int
		says   string
	}{
		{"from here", here, "GET", "127.0.0.1:8000", "", 200, ""},
		{"by name", here, "GET", "localhost:8000", "", 200, ""},
		{"by a port that is mapped", here, "GET", "localhost:9000", "", 200, ""},
		{"by IPv6", here, "GET", "[::1]:8000", "", 200, ""},
		{"by IPv4 in IPv6", here, "GET", "[::ffff:127.0.0.1]:8000", "", 200, ""},
		{"a change as JSON", here, "POST", "127.0.0.1:8000", "Content-Type: application/json; charset=utf-8", 200, ""},
		{"a query of Cosmos DB", here, "POST", "127.0.0.1:8000", "Content-Type: application/query+json", 200, ""},
		{"a page of its own", here, "GET", "127.0.0.1:8000", "Origin: http://127.0.0.1:8000", 200, ""},
		{"typed into a browser", here, "GET", "127.0.0.1:8000", "Sec-Fetch-Site: none", 200, ""},
		{"its own script", here, "GET", "127.0.0.1:8000", "Sec-Fetch-Site: same-origin", 200, ""},

		{"listening beyond", Guard{Addr: "0.0.0.0:8000"}, "GET", "127.0.0.1:8000", "", 403, "--admin"},
		{"listening on all of IPv6", Guard{Addr: "[::]:8000"}, "GET", "127.0.0.1:8000", "", 403, "--admin"},
		{"listening on a name", Guard{Addr: "desk.example:8000"}, "GET", "desk.example:8000", "", 403, "--admin"},
		{"a foreign name (DNS rebinding)", here, "GET", "evil.example:8000", "", 403, "evil.example"},
		{"a name that begins like ours", here, "GET", "localhost.evil.example:8000", "", 403, "evil.example"},
		{"an address of the network", here, "GET", "192.168.1.5:8000", "", 403, "192.168.1.5"},
		{"no host", here, "GET", "", "", 403, "host"},
		{"a foreign origin", here, "GET", "127.0.0.1:8000", "Origin: https://evil.example", 403, "origin"},
		{"another port", here, "GET", "127.0.0.1:8000", "Origin: http://127.0.0.1:3000", 403, "origin"},
		{"another name of the same", here, "GET", "127.0.0.1:8000", "Origin: http://localhost:8000", 403, "origin"},
		{"its own page over https", here, "GET", "127.0.0.1:8000", "Origin: https://127.0.0.1:8000", 403, "origin"},
		{"a page without origin", here, "GET", "127.0.0.1:8000", "Origin: null", 403, "origin"},
		{"a link from elsewhere", here, "GET", "127.0.0.1:8000", "Sec-Fetch-Site: cross-site", 403, "origin"},
		{"a page of another port", here, "GET", "127.0.0.1:8000", "Sec-Fetch-Site: same-site", 403, "origin"},
		{"a form", here, "POST", "127.0.0.1:8000", "Content-Type: application/x-www-form-urlencoded", 415,
			"application/json"},
		{"a form of plain text", here, "POST", "127.0.0.1:8000", "Content-Type: text/plain", 415, "application/json"},
		{"a type that ends like JSON", here, "POST", "127.0.0.1:8000", "Content-Type: text/x+json", 415,
			"application/json"},
		{"no content type", here, "PUT", "127.0.0.1:8000", "", 415, "application/json"},
		{"content types in one", here, "POST", "127.0.0.1:8000", "Content-Type: text/plain, application/json", 415,
			"application/json"},

		{"allowed beyond, by address", beyond, "GET", "192.168.1.5:8000", "", 200, ""},
		{"allowed beyond, by a name it has", beyond, "GET", "emulator:8000", "", 200, ""},
		{"allowed beyond, by a foreign name", beyond, "GET", "evil.example:8000", "", 403, "--admin-host"},
		{"allowed beyond, a foreign origin", beyond, "GET", "192.168.1.5:8000", "Origin: http://192.168.1.6:8000",
			403, "origin"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest(c.method, "/_tabletop/info", nil)
			r.Host = c.host
			if name, value, ok := strings.Cut(c.header, ": "); ok {
				r.Header.Set(name, value)
			}
			w := httptest.NewRecorder()
			c.guard.Wrap(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})).ServeHTTP(w, r)
			want(t, w, c.status, c.says)
		})
	}
}

// TestGuardOverHTTPS checks that over https a page of the same host is of its own only if it came over https too.
func TestGuardOverHTTPS(t *testing.T) {
	t.Parallel()
	for origin, want := range map[string]int{"https://127.0.0.1:8081": 0, "http://127.0.0.1:8081": http.StatusForbidden} {
		r := httptest.NewRequest("GET", "https://127.0.0.1:8081/_tabletop/info", nil)
		r.Header.Set("Origin", origin)
		if status, reason := (Guard{Addr: "127.0.0.1:8081"}).refusal(r); status != want {
			t.Errorf("origin %s: %d %s", origin, status, reason)
		}
	}
}

func TestRepeatedHeadersAreAllChecked(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequest("GET", "http://127.0.0.1:8000/", nil)
	r.Header["Origin"] = []string{"http://127.0.0.1:8000", "https://evil.example"}
	if status, _ := (Guard{Addr: "127.0.0.1:8000"}).refusal(r); status != http.StatusForbidden {
		t.Errorf("a second origin got %d", status)
	}
}

// want fails the test if the response is another one. A body is wanted if it is a part of what came.
func want(t *testing.T, w *httptest.ResponseRecorder, status int, part string) {
	t.Helper()
	if w.Code != status || !strings.Contains(w.Body.String(), part) {
		t.Errorf("%d %s, want %d with %s", w.Code, w.Body, status, part)
	}
	if status >= 400 && w.Header().Get("Content-Type") != "application/problem+json" {
		t.Errorf("an error has the content type %q", w.Header().Get("Content-Type"))
	}
}

// TestRefusedPage shows a person who follows a link from elsewhere why the page was not opened, and how to open it.
func TestRefusedPage(t *testing.T) {
	t.Parallel()
	handler := Guard{Addr: "127.0.0.1:8000"}.Wrap(http.NotFoundHandler())
	for _, c := range []struct {
		name, method, accept, host string
		kind                       string
		link                       bool
	}{
		{"a browser", "GET", "text/html,application/xhtml+xml", "127.0.0.1:8000", "text/html; charset=utf-8", true},
		{"a program", "GET", "*/*", "127.0.0.1:8000", "application/problem+json", false},
		{"a form", "POST", "text/html", "127.0.0.1:8000", "application/problem+json", false},
		{"a browser, by a foreign name", "GET", "text/html", "<i>.example", "text/html; charset=utf-8", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest(c.method, "/_tabletop/console/", nil)
			r.Host = c.host
			r.Header.Set("Accept", c.accept)
			r.Header.Set("Sec-Fetch-Site", "cross-site")
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)
			body := w.Body.String()
			if w.Code != http.StatusForbidden || w.Header().Get("Content-Type") != c.kind ||
				strings.Contains(body, `href="/_tabletop/console/"`) != c.link || strings.Contains(body, "<i>") {
				t.Errorf("%d %s\n%s", w.Code, w.Header().Get("Content-Type"), body)
			}
			if csp := w.Header().Get("Content-Security-Policy"); strings.HasPrefix(c.kind, "text/html") !=
				strings.HasPrefix(csp, "default-src 'none'") {
				t.Error(csp)
			}
		})
	}
}
