package http1

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
)

// TestIsValue holds that each byte of a value counts, wherever it is.
func TestIsValue(t *testing.T) {
	t.Parallel()
	for _, length := range []int{1, 7, 8, 9, 16, 20} {
		for at := range length {
			for b := range 256 {
				for _, fill := range []byte{'a', ' ', 0x80, 0xff, 0x7e, '!'} {
					value := bytes.Repeat([]byte{fill}, length)
					value[at] = byte(b)
					if want := (b >= ' ' || b == '\t') && b != 0x7f; isValue(value) != want {
						t.Fatalf("%q: %v", value, !want)
					}
				}
			}
		}
	}
}

// TestConnectionsKeepShortNames gives each place of a header a name as long as the buffer: none of them is kept.
func TestConnectionsKeepShortNames(t *testing.T) {
	t.Parallel()
	var kept names
	for i := range maxFields {
		for _, name := range []string{"x-short", strings.Repeat("n", readBuffer)} {
			if canonical, length := kept.next(i, []byte(name+": 1")); canonical != http.CanonicalHeaderKey(name) ||
				length != len(name) {
				t.Errorf("%.20s is %.20s of %d bytes", name, canonical, length)
			}
		}
		if kept.sent[i] != "x-short" || kept.canonical[i] != "X-Short" {
			t.Errorf("%d bytes are kept", len(kept.sent[i])+len(kept.canonical[i]))
		}
	}
}

// TestBeginsPlain cuts heads of requests at each byte: as long as the rest can make it a plain request, the server
// waits for that, and otherwise not.
func TestBeginsPlain(t *testing.T) {
	t.Parallel()
	for _, method := range methods {
		head := method + " /path?a=b HTTP/1.1\r\nHost: desk\r\nAccept: */*\r\n"
		for end := range len(head) + 1 {
			if !beginsPlain([]byte(head[:end])) {
				t.Errorf("%q does not begin a request", head[:end])
			}
		}
	}
	for _, start := range []string{"POS\x00", "GETS", "GET x", "get /", "\x16\x03\x01\x02\x00\x01", "GET / HTTP/1.1\n",
		"\r\n\r\r", "GET / HTTP/1.0\r\n", "GET /\r\n", "BLAH BLAH BLAH\r\n", "GET / HTTP/1.1\r\nHost: desk\n",
		"GET / HTTP/1.1\r\nHost: desk\r\n\n"} {
		if beginsPlain([]byte(start)) {
			t.Errorf("%q begins a request", start)
		}
	}
}
