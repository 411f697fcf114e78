package dynamo_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
)

// exchange sends a request of an operation with additional headers, given as names and values in turn.
func (c *conversation) exchange(operation, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	r.Header.Set("X-Amz-Date", "20261121T120000Z")
	r.Header.Set("Authorization",
		"AWS4-HMAC-SHA256 Credential=test/20261121/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	c.service.ServeHTTP(w, r)
	return w
}

func inZlib(text string) string {
	var out bytes.Buffer
	w := zlib.NewWriter(&out)
	_, _ = io.WriteString(w, text) // a Buffer does not fail
	_ = w.Close()
	return out.String()
}

func inGzip(text string) string {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = io.WriteString(w, text) // a Buffer does not fail
	_ = w.Close()
	return out.String()
}

// TestRequestsMayBeCompressed expects the statuses of ScyllaDB's test_compressed_request.py, recorded on DynamoDB until
// February 2026.
func TestRequestsMayBeCompressed(t *testing.T) {
	t.Parallel()
	c := newConversation(t)
	huge := "{" + strings.Repeat(" ", 17<<20) + "}"
	for what, r := range map[string]struct {
		encoding, body string
		status         int
	}{
		"gzip":                {"gzip", inGzip("{}"), 200},
		"deflate":             {"deflate", inZlib("{}"), 200},
		"not deflate":         {"deflate", "{}", 500},
		"not gzip":            {"gzip", "{}", 500},
		"nothing as gzip":     {"gzip", "", 500},
		"an unknown encoding": {"garbage", "{}", 500},
		"a gzip bomb":         {"gzip", inGzip(huge), 500},
		"a deflate bomb":      {"deflate", inZlib(huge), 500},
		"a plain body":        {"", huge, 413},
	} {
		w := c.exchange("ListTables", r.body, "Content-Encoding", r.encoding)
		if w.Code != r.status || r.status == 500 && !strings.Contains(w.Body.String(), "#InternalServerError") {
			t.Errorf("%s: %d %s", what, w.Code, w.Body)
		}
	}
}

// TestLargeResultsAreCompressed expects the size of ScyllaDB's test_compressed_response.py, recorded on DynamoDB in
// 2025 and 2026.
func TestLargeResultsAreCompressed(t *testing.T) {
	t.Parallel()
	c := newConversation(t)
	c.post("DynamoDB_20120810.CreateTable", `{"TableName":"packed","BillingMode":"PAY_PER_REQUEST",
		"AttributeDefinitions":[{"AttributeName":"p","AttributeType":"S"}],"KeySchema":[{"AttributeName":"p","KeyType":"HASH"}]}`)
	text := strings.Repeat("x", 4096-len(`{"Item":{"x":{"S":""}}}`))
	put := fmt.Sprintf(`{"TableName":"packed","Item":{"p":{"S":"k"},"x":{"S":%q}},"ConditionExpression":"attribute_not_exists(p)",`+
		`"ReturnValuesOnConditionCheckFailure":"ALL_OLD"}`, text)
	c.post("DynamoDB_20120810.PutItem", put)
	if w := c.exchange("PutItem", put, "Accept-Encoding", "gzip"); w.Code != 400 ||
		w.Header()["Content-Encoding"] != nil || !strings.Contains(w.Body.String(), "xxxx") {
		t.Errorf("a large error: %d %v %s", w.Code, w.Header(), w.Body)
	}
	get := `{"TableName":"packed","Key":{"p":{"S":"k"}},"ProjectionExpression":"x"}`
	for accept, want := range map[string]string{"": "", "identity": "", "br": "", "gzip": "gzip",
		"deflate, gzip": "deflate"} {
		w := c.exchange("GetItem", get, "Accept-Encoding", accept)
		if got := w.Header().Get("Content-Encoding"); got != want {
			t.Errorf("%q: %q", accept, got)
		}
		sent := map[string][]string(w.Header()) // with the service's spelling, not HTTP's canonical one
		sum := strconv.FormatUint(uint64(crc32.ChecksumIEEE(w.Body.Bytes())), 10)
		if got := sent["x-amz-crc32"]; len(got) != 1 || got[0] != sum {
			t.Errorf("%q: the checksum is %q, not that of the bytes sent", accept, got)
		}
	}
	short := strings.Replace(get, `"x"`, `"p"`, 1)
	if w := c.exchange("GetItem", short, "Accept-Encoding", "gzip"); w.Header()["Content-Encoding"] != nil {
		t.Errorf("a short result: %v", w.Header())
	}
}

// TestContentTypeOfResponses expects the types of dynalite's tests, verified on AWS: that of the request, and
// application/json for one without a body, which needs none.
func TestContentTypeOfResponses(t *testing.T) {
	t.Parallel()
	c := newConversation(t)
	for requested, want := range map[string]string{
		"application/x-amz-json-1.0":               "application/x-amz-json-1.0",
		"application/x-amz-json-1.0;charset=UTF-8": "application/x-amz-json-1.0",
		"application/json":                         "application/json",
		"":                                         "application/json",
	} {
		body := "{}"
		if requested == "" {
			body = ""
		}
		w := c.exchange("ListTables", body, "Content-Type", requested)
		if got := w.Header().Get("Content-Type"); got != want {
			t.Errorf("%q: %q, want %q", requested, got, want)
		}
	}
}
