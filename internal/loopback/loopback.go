// Package loopback tells what is on this machine, and how its own programs call it.
package loopback

import (
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// Is says whether a host, a name or an address without port and brackets, is this machine wherever it is looked up.
func Is(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Unmap().IsLoopback()
	}
	return strings.EqualFold(host, "localhost")
}

// Reachable is the address of a listener as a client on this machine can use it: one on all interfaces is on 127.0.0.1
// too.
func Reachable(at net.Addr) string {
	tcp, ok := at.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return at.String()
	}
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(tcp.Port))
}
