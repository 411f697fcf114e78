package loopback

import (
	"net"
	"testing"
)

func TestIs(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]bool{
		"localhost": true, "LOCALHOST": true, "127.0.0.1": true, "127.8.8.8": true, "::1": true, "::ffff:127.0.0.1": true,
		"": false, "desk.example": false, "localhost.example": false, "10.0.0.1": false, "0.0.0.0": false, "::": false,
	} {
		if got := Is(host); got != want {
			t.Errorf("%q: %v", host, got)
		}
	}
}

func TestClientAddr(t *testing.T) {
	t.Parallel()
	for at, want := range map[string]string{
		"127.0.0.1:8000": "127.0.0.1:8000", "[::1]:8000": "[::1]:8000", "10.0.0.7:80": "10.0.0.7:80",
		"0.0.0.0:8000": "127.0.0.1:8000", "[::]:8000": "127.0.0.1:8000",
	} {
		addr, err := net.ResolveTCPAddr("tcp", at)
		if err != nil {
			t.Fatal(err)
		}
		if got := ClientAddr(addr); got != want {
			t.Errorf("%s: %s", at, got)
		}
	}
	if got := ClientAddr(&net.UnixAddr{Name: "/run/desk"}); got != "/run/desk" {
		t.Error(got)
	}
}
