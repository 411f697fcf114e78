//go:build unix

package plainhttp

import (
	"net"
	"syscall"
)

// alive reports whether a server has neither closed an idle connection nor sent anything on it.
func alive(network net.Conn) bool {
	raw, ok := network.(syscall.Conn)
	if !ok {
		return true
	}
	c, err := raw.SyscallConn()
	if err != nil {
		return false
	}
	quiet := false
	if err := c.Read(func(fd uintptr) bool {
		var one [1]byte
		_, err := syscall.Read(int(fd), one[:])
		quiet = err == syscall.EAGAIN || err == syscall.EWOULDBLOCK
		return true
	}); err != nil {
		return false
	}
	return quiet
}
