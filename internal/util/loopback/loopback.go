// Package loopback identifies this machine's own addresses.
package loopback

import (
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// Is reports whether a host, a name or an address without port and brackets, always means this machine.
func Is(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Unmap().IsLoopback()
	}
	return strings.EqualFold(host, "localhost")
}

// ClientAddr returns the address of a listener for clients on this machine: 127.0.0.1 for one on all interfaces.
func ClientAddr(at net.Addr) string {
	tcp, ok := at.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return at.String()
	}
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(tcp.Port))
}
