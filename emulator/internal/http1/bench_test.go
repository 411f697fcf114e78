package http1

import (
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
)

// BenchmarkServer sends requests of an SDK's size, with as many connections as goroutines, to this package's server and
// to one of net/http with the same handler. The client writes and reads bytes, so that it costs little.
func BenchmarkServer(b *testing.B) {
	answer := []byte(strings.Repeat("a", 500))
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		h := w.Header()
		h["Content-Type"] = []string{"application/x-amz-json-1.0"}
		h["Content-Length"] = []string{strconv.Itoa(len(answer))}
		_, _ = w.Write(answer)
	})
	b.Run("http1", func(b *testing.B) { attack(b, serve(b, Config{Handler: handler})) })
	b.Run("net-http", func(b *testing.B) {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			b.Fatal(err)
		}
		bare := other(complete(Config{}))
		bare.Handler = handler
		go func() { _ = bare.Serve(listener) }()
		b.Cleanup(func() { _ = bare.Close() })
		attack(b, listener)
	})
}

func attack(b *testing.B, listener net.Listener) {
	request := []byte("POST / HTTP/1.1\r\nHost: desk\r\nUser-Agent: aws-sdk-go-v2/1.41.0 ua/2.1 os/linux lang/go#1.26\r\n" +
		"Content-Length: 500\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Target: DynamoDB_20120810.PutItem\r\n" +
		"X-Amz-Date: 20260101T000000Z\r\nAuthorization: " + strings.Repeat("s", 250) + "\r\n\r\n" + strings.Repeat("b", 500))
	b.ReportAllocs()
	b.RunParallel(func(run *testing.PB) {
		conn, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			b.Error(err)
			return
		}
		defer conn.Close()
		var buf [2 << 10]byte
		for run.Next() {
			if _, err := conn.Write(request); err != nil {
				b.Error(err)
				return
			}
			if !readAnswer(conn, buf[:]) {
				b.Error("no response")
				return
			}
		}
	})
}

// readAnswer reads until the 500 bytes of a body have come.
func readAnswer(conn net.Conn, buf []byte) bool {
	for n := 0; ; {
		more, err := conn.Read(buf[n:])
		if err != nil {
			return false
		}
		n += more
		if at := strings.Index(string(buf[:n]), "\r\n\r\n"); at >= 0 && n == at+4+500 {
			return true
		}
	}
}
