package webconsole

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// ordersService is a DynamoDB that has only the table orders.
func ordersService(w http.ResponseWriter, r *http.Request) {
	if body, _ := io.ReadAll(r.Body); !strings.Contains(string(body), `"orders"`) {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"__type":"a#ResourceNotFoundException","message":"no such table"}`)
		return
	}
	_, _ = io.WriteString(w, `{"Table":{"TableName":"orders","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],`+
		`"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"TableStatus":"ACTIVE"}}`)
}

// TestImportsThatStopEarlyAreAnswered sends files whose import ends at their beginning, and reads the response only
// after all of the file is sent. The files are larger than what the buffers of a connection hold.
func TestImportsThatStopEarlyAreAnswered(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(pages(http.HandlerFunc(ordersService), nil).serve))
	defer server.Close()
	file := "invalid\n" + strings.Repeat(`{"pk":"a"}`+"\n", 2<<20)
	for path, want := range map[string]string{
		"load?format=json&table=orders":    `"error":"line 1: `,
		"load?format=json&table=others":    "no such table",
		"preview?format=json&table=orders": `"place":"line 1"`,
		"load?format=xml":                  "format must be one of",
	} {
		connection, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Fprintf(connection, "POST %simport/%s HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n%s",
			apiPath, path, len(file), file); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		response, err := http.ReadResponse(bufio.NewReader(connection), nil)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if body, err := io.ReadAll(response.Body); err != nil || !strings.Contains(string(body), want) {
			t.Errorf("%s: %d %s %v", path, response.StatusCode, body, err)
		}
		_ = connection.Close()
	}
}

// deadlines records the deadlines of reads.
type deadlines struct {
	*httptest.ResponseRecorder
	reads []time.Time
}

func (d *deadlines) SetReadDeadline(t time.Time) error {
	d.reads = append(d.reads, t)
	return nil
}

// TestReadsAfterTheResponseChangeNoDeadline begins the response while another goroutine of the handler reads the file:
// what that does then has no effect on the rest of the body, nor on the connection's next request.
func TestReadsAfterTheResponseChangeNoDeadline(t *testing.T) {
	t.Parallel()
	w := &deadlines{ResponseRecorder: httptest.NewRecorder()}
	in, out := io.Pipe()
	r := httptest.NewRequest(http.MethodPost, "/", in)
	a := takeFile(w, r)
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.ReadAll(r.Body)
	}()
	_, _ = io.WriteString(out, "a") // now it reads
	go func() { _ = out.Close() }()
	_, _ = io.WriteString(a, "the response")
	<-read
	last := w.reads[len(w.reads)-1]
	if last.IsZero() || time.Until(last) > maxDrain {
		t.Errorf("the last deadline is %v", last)
	}
}
