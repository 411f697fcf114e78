package control

import (
	"fmt"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/tabletop-db/tabletop/internal/loopback"
)

// Guard decides who may command the emulator. It protects what is meant for the person at the desk alone: the admin
// API, the console, the metrics.
type Guard struct {
	// Addr is the host and port that the emulator was told to listen on, or listens on.
	Addr string
	// Beyond answers also when Addr is beyond loopback. Then a request may name the emulator by any IP address too: a
	// page can be made to reach an address by a name of its own (DNS rebinding), never by the address itself.
	Beyond bool
	// Hosts are names, beside the addresses, by which requests may name the emulator, such as that of a container.
	Hosts []string
}

// Wrap has only requests that may command the emulator reach h. Others are answered by problem details that name the
// remedy.
func (g Guard) Wrap(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if status, reason := g.refusal(r); status != 0 {
			Problem(w, status, reason)
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

// refusal is why a request may not pass, and 0 if it may.
func (g Guard) refusal(r *http.Request) (status int, reason string) {
	switch {
	case !g.Beyond && !loopback.Is(hostOf(g.Addr)):
		return http.StatusForbidden, "the emulator listens on " + g.Addr + ", beyond this machine: start it with --admin to command it there"
	case !g.knows(hostOf(r.Host)):
		return http.StatusForbidden, fmt.Sprintf("the host %q is none that the emulator answers to here: use 127.0.0.1 or localhost, or name it with --admin-host", r.Host)
	case !sameOrigin(r):
		return http.StatusForbidden, "a page of another origin may not command the emulator"
	case !declaresJSON(r):
		return http.StatusUnsupportedMediaType, "send Content-Type: application/json with whatever changes the emulator"
	}
	return 0, ""
}

// knows says whether requests may name the emulator so.
func (g Guard) knows(host string) bool {
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
	return g.Beyond && err == nil
}

// hostOf is a host without its port and brackets.
func hostOf(addr string) string {
	if host, _, err := net.SplitHostPort(addr); err == nil {
		return host
	}
	return strings.TrimSuffix(strings.TrimPrefix(addr, "["), "]")
}

// sameOrigin says whether a request comes from a page of the emulator's own or from no page at all.
func sameOrigin(r *http.Request) bool {
	for _, origin := range r.Header.Values("Origin") {
		if !strings.EqualFold(origin, "http://"+r.Host) {
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

// declaresJSON holds changes to a content type that a browser asks leave for before it sends it elsewhere.
func declaresJSON(r *http.Request) bool {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodDelete:
		return true
	}
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && kind == "application/json"
}
