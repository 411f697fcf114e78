package control

import (
	"fmt"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/tabletop-db/tabletop/internal/util/loopback"
)

// Guard decides who may control the emulator. It protects the admin API, the console and the metrics, which are only
// for the person at the machine.
type Guard struct {
	// Addr is the host and port that the emulator listens on, as configured or as actual.
	Addr string
	// AllowRemote allows requests also if Addr is beyond loopback. Then a request may name the emulator by any IP address
	// too: a page can make a name of its own resolve to an address (DNS rebinding), but cannot have the address itself
	// as its name.
	AllowRemote bool
	// Hosts are host names, besides the addresses, that requests may use, such as the name of a container.
	Hosts []string
}

// Wrap passes only requests that may control the emulator to h. It responds to others with the reason and the remedy,
// as problem details, or as a page if a browser opens one.
func (g Guard) Wrap(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if status, reason := g.refusal(r); status != 0 {
			refuse(w, r, status, reason)
			return
		}
		header := w.Header()
		header.Set("Cache-Control", "no-store")
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("X-Frame-Options", "DENY")
		header.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.ServeHTTP(w, r)
	})
}

const otherOrigin = "requests from pages of other origins are not allowed"

// refusal returns why a request is refused, or status 0 if it is accepted.
func (g Guard) refusal(r *http.Request) (status int, reason string) {
	switch {
	case !g.AllowRemote && !loopback.Is(hostOf(g.Addr)):
		return http.StatusForbidden, "the emulator listens on " + g.Addr +
			", beyond this machine: start it with --admin to allow its admin API there"
	case !g.allowsHost(hostOf(r.Host)):
		return http.StatusForbidden,
			fmt.Sprintf("host %q is not allowed: use 127.0.0.1 or localhost, or allow it with --admin-host", r.Host)
	case !sameOrigin(r):
		return http.StatusForbidden, otherOrigin
	case !declaresJSON(r):
		return http.StatusUnsupportedMediaType, "changes require Content-Type: application/json"
	}
	return 0, ""
}

// allowsHost reports whether requests may use a host.
func (g Guard) allowsHost(host string) bool {
	if host == "" {
		return false
	}
	if loopback.Is(host) || strings.EqualFold(host, hostOf(g.Addr)) {
		return true
	}
	for _, name := range g.Hosts {
		if strings.EqualFold(host, name) {
			return true
		}
	}
	_, err := netip.ParseAddr(host)
	return g.AllowRemote && err == nil
}

// hostOf is a host without its port and brackets.
func hostOf(addr string) string {
	if host, _, err := net.SplitHostPort(addr); err == nil {
		return host
	}
	return strings.TrimSuffix(strings.TrimPrefix(addr, "["), "]")
}

// sameOrigin reports whether a request is from a page of the emulator's own or not from a page at all.
func sameOrigin(r *http.Request) bool {
	own := "http://" + r.Host
	if r.TLS != nil {
		own = "https://" + r.Host
	}
	for _, origin := range r.Header.Values("Origin") {
		if !strings.EqualFold(origin, own) {
			return false
		}
	}
	for _, site := range r.Header.Values("Sec-Fetch-Site") {
		if site != "same-origin" && site != "none" {
			return false
		}
	}
	return true
}

// declaresJSON reports whether a change has a content type for which a browser asks permission before it sends the
// request to another origin: JSON, or a format based on it, such as Cosmos DB's application/query+json.
func declaresJSON(r *http.Request) bool {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodDelete:
		return true
	}
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && (kind == "application/json" ||
		strings.HasPrefix(kind, "application/") && strings.HasSuffix(kind, "+json"))
}
