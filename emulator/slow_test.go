package emulator

import (
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestStalledBodyEnds sends half a body and waits: the server refuses it and closes the connection.
func TestStalledBodyEnds(t *testing.T) {
	t.Parallel()
	e := Run(t)
	server := newServer(e.dynamo, slog.New(slog.DiscardHandler), nil)
	if server.BodyTimeout == 0 || server.Other.ReadTimeout == 0 {
		t.Fatal("a body may take forever")
	}
	server.HeaderTimeout, server.BodyTimeout = time.Second, time.Second // a deadline that is a little later is kept
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
		if err := <-served; err != http.ErrServerClosed {
			t.Error(err)
		}
	})
	client, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	const half = "POST / HTTP/1.1\r\nHost: desk\r\nContent-Type: application/x-amz-json-1.0\r\n" +
		"X-Amz-Target: DynamoDB_20120810.ListTables\r\nContent-Length: 1000\r\n\r\n{"
	if _, err := io.WriteString(client, half); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(client)
	if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 400 ") {
		t.Errorf("%q, %v", answer, err)
	}
}
