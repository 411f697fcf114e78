package webconsole

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// cutter is a service with a table and a container that ends the connection of each write without a response, as a
// fault makes it.
type cutter struct{}

func (cutter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".DescribeTable"):
		_, _ = io.WriteString(w, `{"Table":{"TableName":"orders","TableStatus":"ACTIVE","KeySchema":`+
			`[{"AttributeName":"id","KeyType":"HASH"}],"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}]}}`)
	case r.Method == http.MethodGet:
		_, _ = io.WriteString(w, `{"partitionKey":{"paths":["/id"]}}`)
	default:
		panic(http.ErrAbortHandler)
	}
}

// TestAnImportReportsACutConnection imports files while a fault cuts the connections of all writes.
func TestAnImportReportsACutConnection(t *testing.T) {
	t.Parallel()
	c := pages(cutter{}, cutter{})
	for _, target := range []string{"table=orders", "database=shop&container=orders"} {
		r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1:8000"+apiPath+"import/load?"+target,
			strings.NewReader(`{"id":"1"}`))
		w := httptest.NewRecorder()
		c.serve(w, r)
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(),
			`"error":"the service closed the connection without a response"`) {
			t.Errorf("%s: %d %s", target, w.Code, w.Body)
		}
	}
}
