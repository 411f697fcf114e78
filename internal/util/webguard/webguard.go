// Package webguard protects a server on a user's machine from the web pages that the user visits.
//
// A browser sends requests of any page to 127.0.0.1. Origin names the page's origin, unless the page has made a name of
// its own resolve to 127.0.0.1 (DNS rebinding): then Host has that name. Programs send neither a foreign Origin nor a
// name that is registered to somebody else.
package webguard

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/internal/util/loopback"
)

// Guard distinguishes the requests of foreign pages from all others. The zero Guard accepts only local names.
type Guard struct {
	// TrustedHosts are host names that clients may use and whose pages may send requests, besides the local ones.
	TrustedHosts []string
	// CloudDomains are domains under which clients may call the server too, such as amazonaws.com if a proxy or a hosts
	// file directs the cloud's names to it. Their pages are foreign.
	CloudDomains []string
}

// Wrap passes requests without a Refusal to h; refuse answers the others.
func (g Guard) Wrap(h http.Handler, refuse func(w http.ResponseWriter, r *http.Request, reason string)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if reason := g.Refusal(r); reason != "" {
			refuse(w, r, reason)
			return
		}
		h.ServeHTTP(w, r)
	})
}

// Refusal returns why a request is refused, in one line with the remedy, or an empty string if it is accepted.
func (g Guard) Refusal(r *http.Request) string {
	if !g.hostAllowed(r.Host) {
		return fmt.Sprintf("host %.100q is not allowed: use 127.0.0.1 or localhost, or allow it with --trusted-host", r.Host)
	}
	for _, origin := range r.Header["Origin"] {
		if !g.originAllowed(origin, r.Host) {
			return fmt.Sprintf("origin %.100q is not allowed: allow its host name with --trusted-host", origin)
		}
	}
	return ""
}

// hostAllowed reports whether clients may call the server by a host, with or without a port. HTTP/1.0 requests have no
// host, and no browser sends them.
func (g Guard) hostAllowed(host string) bool {
	if host == "" || strings.HasPrefix(host, "127.0.0.1:") || strings.HasPrefix(host, "localhost:") { // most requests
		return true
	}
	name := hostname(host)
	if _, err := netip.ParseAddr(name); err == nil {
		return true // no page can have an IP address as its own name
	}
	return isLocal(name) || g.isTrusted(name) || slices.ContainsFunc(g.CloudDomains, func(domain string) bool {
		return isSubdomain(name, domain)
	})
}

// originAllowed reports whether the pages of an origin may send requests: those of this server, of this machine and its
// network, and of programs whose pages have no host, such as browser extensions. Any page can have the origin "null".
func (g Guard) originAllowed(origin, host string) bool {
	at, err := url.Parse(origin)
	if err != nil || at.Scheme == "" {
		return false
	}
	if at.Scheme != "http" && at.Scheme != "https" || strings.EqualFold(at.Host, host) {
		return true
	}
	name := hostname(at.Host)
	if ip, err := netip.ParseAddr(name); err == nil {
		ip = ip.Unmap()
		return ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast()
	}
	return name != "" && (isLocal(name) || g.isTrusted(name))
}

func (g Guard) isTrusted(name string) bool {
	return slices.ContainsFunc(g.TrustedHosts, func(n string) bool { return strings.EqualFold(n, name) })
}

// localDomains are domains under which nobody can register a name: reserved by RFC 2606, 6761, 6762 and 8375, for
// private use by ICANN, or in use inside networks and not delegated to a registry.
var localDomains = [...]string{"localhost", "local", "internal", "test", "home.arpa", "svc", "lan", "corp", "home"}

// isLocal reports whether a name is of this machine or its network: a single label, as containers have, or a name in a
// local domain.
func isLocal(name string) bool {
	if loopback.Is(name) || !strings.Contains(name, ".") {
		return true
	}
	return slices.ContainsFunc(localDomains[:], func(domain string) bool { return isSubdomain(name, domain) })
}

func isSubdomain(name, domain string) bool {
	cut := len(name) - len(domain)
	return cut > 0 && name[cut-1] == '.' && strings.EqualFold(name[cut:], domain)
}

// hostname returns a host without its port, brackets and trailing dot.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	return strings.TrimSuffix(host, ".")
}
