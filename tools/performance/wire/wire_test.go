package wire

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// TestConnReadsResponses reads responses of each form on one connection, with and without TLS.
func TestConnReadsResponses(t *testing.T) {
	t.Parallel()
	part := strings.Repeat("x", 100_000)
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch string(body) {
		case "chunked":
			for range 3 {
				_, _ = io.WriteString(w, part)
				_ = http.NewResponseController(w).Flush()
			}
		case "close":
			w.Header().Set("Connection", "close")
		default:
			w.Header().Set("x-ms-continuation", "more")
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, "no")
		}
	})
	plain, secure := httptest.NewServer(handler), httptest.NewTLSServer(handler)
	defer plain.Close()
	defer secure.Close()
	for _, c := range []*Conn{{Addr: plain.Listener.Addr().String()}, {Addr: secure.Listener.Addr().String(), TLS: true}} {
		for range 2 {
			status, body, err := c.Do(post("chunked"))
			if err != nil || status != http.StatusOK || string(body) != part+part+part {
				t.Fatalf("chunked: status %d, %d bytes, %v", status, len(body), err)
			}
			status, body, err = c.Do(post("short"))
			if err != nil || status != http.StatusBadRequest || string(body) != "no" || c.Continuation != "more" {
				t.Fatalf("with a length: status %d, %q, continuation %q, %v", status, body, c.Continuation, err)
			}
			if status, _, err = c.Do(post("close")); err != nil || status != http.StatusOK || c.conn != nil {
				t.Fatalf("last response of a connection: status %d, %v, closed: %v", status, err, c.conn == nil)
			}
		}
	}
}

func post(body string) []byte {
	return []byte("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: " + string('0'+rune(len(body))) + "\r\n\r\n" + body)
}

func TestGeneratorFillsSlots(t *testing.T) {
	t.Parallel()
	var unused atomic.Uint32
	template := NewTemplate([]byte(Slot(Unused) + " " + Slot('A') + " @Abc"))
	g := NewGenerator([]Template{template}, map[byte]uint32{'A': 3}, &unused, 1)
	keys, numbers := map[string]bool{}, map[string]bool{}
	for range 100 {
		fields := strings.Fields(string(g.Request()))
		keys[fields[0]], numbers[fields[1]] = true, true
		if fields[2] != "@Abc" {
			t.Fatalf("text that is no slot became %q", fields[2])
		}
	}
	if len(keys) != 100 || len(numbers) != 3 || !numbers["0000000002"] {
		t.Errorf("%d keys of 100 requests, numbers %v", len(keys), numbers)
	}
	if !strings.HasPrefix(string(template.text), "@") {
		t.Errorf("the template was overwritten: %s", template.text)
	}
	again := NewGenerator([]Template{NewTemplate([]byte(Slot('A')))}, map[byte]uint32{'A': 1000}, &unused, 7)
	same := NewGenerator([]Template{NewTemplate([]byte(Slot('A')))}, map[byte]uint32{'A': 1000}, &unused, 7)
	for range 10 {
		if a, b := string(again.Request()), string(same.Request()); a != b {
			t.Fatalf("equal seeds give %s and %s", a, b)
		}
	}
}

// TestScatteredKeysExist checks that Scattered numbers are those that Scatter maps the first numbers to.
func TestScatteredKeysExist(t *testing.T) {
	t.Parallel()
	existing := map[uint32]bool{}
	for n := range uint32(10) {
		existing[Scatter(n)] = true
	}
	var unused atomic.Uint32
	g := NewGenerator(nil, map[byte]uint32{Scattered: 10}, &unused, 1)
	for range 50 {
		if v := g.value(Scattered); !existing[v] {
			t.Fatalf("%d is not one of the first ten", v)
		}
	}
}
