package http1

import (
	"bytes"
	"crypto/tls"
	"net"
	"net/http"
	"slices"
	"testing"
)

// recordedConn records the sizes of writes.
type recordedConn struct {
	net.Conn
	sizes []int
	all   bytes.Buffer
}

func (c *recordedConn) Write(b []byte) (int, error) {
	c.sizes = append(c.sizes, len(b))
	return c.all.Write(b)
}

// TestRecordsAreFull holds that a large response over TLS has its header and the first part of its body in one record.
func TestRecordsAreFull(t *testing.T) {
	t.Parallel()
	to := &recordedConn{}
	c := newConn(New(complete(Config{})), to, nil)
	c.secure = &tls.ConnectionState{}
	w := &response{conn: c, request: &http.Request{Method: http.MethodGet}, body: &body{}, length: unknown}
	w.Header()["Content-Length"] = []string{"20000"}
	data := bytes.Repeat([]byte("0123456789"), 2000)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	w.finish()
	head, sent, _ := bytes.Cut(to.all.Bytes(), []byte("\r\n\r\n"))
	if want := []int{maxRecord, len(head) + 4 + len(data) - maxRecord}; !slices.Equal(to.sizes, want) {
		t.Errorf("records of %d bytes, want %d", to.sizes, want)
	}
	if !bytes.Equal(sent, data) {
		t.Error("the body is not what the handler wrote")
	}
}
