package emulator_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator"
)

// request returns a request of the JSON protocol with additional headers, given as names and values in turn; an empty
// value removes the header.
func request(t testing.TB, e *emulator.Emulator, operation string, body io.Reader, headers ...string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, e.DynamoDBURL(), body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	r.Header.Set("X-Amz-Date", "20261121T120000Z")
	r.Header.Set("Authorization",
		"AWS4-HMAC-SHA256 Credential=a/20261121/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0")
	for i := 0; i < len(headers); i += 2 {
		if r.Header.Set(headers[i], headers[i+1]); headers[i+1] == "" {
			r.Header.Del(headers[i])
		}
	}
	return r
}

// answer is a response that has been read to its end.
type answer struct {
	status int
	header http.Header
	body   string
}

func send(t testing.TB, r *http.Request) answer {
	t.Helper()
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{resp.StatusCode, resp.Header, string(body)}
}

// errorOf returns the name of an error, without its namespace, and its message.
func (a answer) errorOf() (name, message string) {
	var body struct {
		Type    string `json:"__type"`
		Message string
	}
	_ = json.Unmarshal([]byte(a.body), &body)
	_, name, _ = strings.Cut(body.Type, "#")
	return name, body.Message
}

func TestHealthIsAnsweredWithoutCredentials(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t)
	resp, err := http.Get(e.DynamoDBURL())
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	if resp.StatusCode != 200 || !strings.HasPrefix(string(body), "healthy") {
		t.Errorf("%d %s", resp.StatusCode, body)
	}
}

// TestOnlyTheRootPathIsServed checks requests for another path. (ScyllaDB's tests on AWS.)
func TestOnlyTheRootPathIsServed(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t)
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		r := request(t, e, "ListTables", strings.NewReader("{}"))
		r.Method, r.URL.Path = method, "/index.html"
		if a := send(t, r); a.status != http.StatusNotFound || a.body != "<UnknownOperationException/>\n" {
			t.Errorf("%s: %d %s", method, a.status, a.body)
		}
	}
}

// TestLargeHeadersAreRefused sends headers and request lines about as large as the service takes, 16 KB, and larger.
// (ScyllaDB's tests on AWS.)
func TestLargeHeadersAreRefused(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t)
	for size, want := range map[int]int{15 << 10: http.StatusOK, 16 << 10: http.StatusBadRequest} {
		inHeaders := request(t, e, "ListTables", strings.NewReader("{}"), "X-One", strings.Repeat("x", size/2), "X-Two",
			strings.Repeat("y", size/2))
		inQuery := request(t, e, "ListTables", strings.NewReader("{}"))
		inQuery.URL.RawQuery = strings.Repeat("q", size)
		for _, r := range []*http.Request{inHeaders, inQuery} {
			if a := send(t, r); a.status != want {
				t.Errorf("%d bytes: %d %s", size, a.status, a.body)
			}
		}
	}
}

func TestResponsesHaveTheServiceHeaders(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t)
	for _, contentType := range []string{"application/x-amz-json-1.0", "application/json"} {
		a := send(t, request(t, e, "ListTables", strings.NewReader("{}"), "Content-Type", contentType))
		if a.status != 200 || a.body != `{"TableNames":[]}` {
			t.Errorf("%d %s", a.status, a.body)
		}
		if got := a.header.Get("Server"); got != "Server" {
			t.Errorf("the server is %q", got)
		}
		if got := a.header.Get("Content-Type"); got != contentType {
			t.Errorf("the content type is %q", got)
		}
		if got := a.header.Get("x-amz-crc32"); got != strconv.Itoa(int(crc32.ChecksumIEEE([]byte(a.body)))) {
			t.Errorf("the checksum is %q", got)
		}
		if got := a.header.Get("x-amzn-RequestId"); len(got) != 52 {
			t.Errorf("the request id is %q", got)
		}
	}
}

func TestCompressedBodiesAreAccepted(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t)
	c := client(e)
	makeTable(t, c, "packed")
	put(t, c, "packed", text("pk", "a", "long", strings.Repeat("very ", 1000)))
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	fmt.Fprint(w, `{"TableName": "packed", "Key": {"pk": {"S": "a"}}}`)
	w.Close()
	a := send(t, request(t, e, "GetItem", &packed, "Content-Encoding", "gzip", "Accept-Encoding", "gzip"))
	if a.header.Get("Content-Encoding") != "gzip" || len(a.body) > 1000 {
		t.Fatalf("%d %v, %d bytes", a.status, a.header, len(a.body))
	}
	if got := a.header.Get("x-amz-crc32"); got != strconv.Itoa(int(crc32.ChecksumIEEE([]byte(a.body)))) {
		t.Errorf("the checksum is not that of the bytes sent: %q", got)
	}
	r, err := gzip.NewReader(strings.NewReader(a.body))
	if err != nil {
		t.Fatal(err)
	}
	if plain, _ := io.ReadAll(r); !strings.Contains(string(plain), "very very") {
		t.Errorf("%.100s", plain)
	}
}

func TestHTTP2WithoutTLS(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t)
	var protocols http.Protocols
	protocols.SetUnencryptedHTTP2(true)
	transport := &http.Transport{Protocols: &protocols}
	defer transport.CloseIdleConnections()
	resp, err := transport.RoundTrip(request(t, e, "ListTables", strings.NewReader("{}")))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != 200 || resp.ProtoMajor != 2 {
		t.Errorf("%d by %s", resp.StatusCode, resp.Proto)
	}
}

// bad are invalid requests with the service's own errors.
var bad = []struct {
	what, operation, body string
	headers               []string
	name, message         string
}{
	{"no JSON", "PutItem", `{"TableName"`, nil, "SerializationException", ""},
	{"a list", "PutItem", `[]`, nil, "SerializationException", ""},
	{"two documents", "ListTables", `{} {}`, nil, "SerializationException", ""},
	{"no body", "ListTables", ``, nil, "SerializationException", ""},
	{"invalid UTF-8", "PutItem", "{\"TableName\": \"\xff\"}", nil, "SerializationException", ""},
	{"a number for a text", "PutItem", `{"TableName": 5}`, nil, "SerializationException",
		"NUMBER_VALUE cannot be converted to String"},
	{"a text for a map", "PutItem", `{"TableName": "bad", "Item": "x"}`, nil, "SerializationException",
		"Unexpected field type"},
	{"an unknown operation", "MakeCoffee", `{}`, nil, "UnknownOperationException", ""},
	{"another service", "ListTables", `{}`, []string{"X-Amz-Target", "Firehose_20150804.ListDeliveryStreams"},
		"UnknownOperationException", ""},
	{"no operation", "", `{}`, []string{"X-Amz-Target", ""}, "UnknownOperationException", ""},
	{"no credentials", "ListTables", `{}`, []string{"Authorization", ""}, "MissingAuthenticationTokenException",
		"Request is missing Authentication Token"},
	{"half a signature", "ListTables", `{}`, []string{"Authorization", "AWS4-HMAC-SHA256 Credential=a"},
		"IncompleteSignatureException",
		"Authorization header requires 'Signature' parameter. Authorization header requires 'SignedHeaders' parameter. Authorization=AWS4-HMAC-SHA256 Credential=a"},
	{"10,000 levels", "PutItem", `{"TableName": "bad", "Item": {"pk": {"S": "a"}, "deep": ` + strings.Repeat(`{"L":[`,
		10000) + `{"S":"x"}` + strings.Repeat(`]}`, 10000) + `}}`, nil, "SerializationException", ""},
	{"10,000 brackets", "PutItem", strings.Repeat(`[`, 10000), nil, "SerializationException", ""},
	{"a million brackets where none is read", "ListTables", `{"Unknown": ` + strings.Repeat(`[`, 1000000) +
		strings.Repeat(`]`, 1000000) + `}`, nil, "", ""},
	{"10,000 parentheses", "PutItem", `{"TableName": "bad", "Item": {"pk": {"S": "a"}}, "ConditionExpression": "` +
		strings.Repeat("(", 10000) + `a = b` + strings.Repeat(")", 10000) + `"}`, nil,
		"ValidationException", "1 validation error detected: Invalid ConditionExpression: Expression size has exceeded the maximum allowed size;"},
	{"2,000 parentheses", "PutItem", `{"TableName": "bad", "Item": {"pk": {"S": "a"}}, "ConditionExpression": "` +
		strings.Repeat("(", 2000) + `a = b` + strings.Repeat(")", 2000) + `"}`, nil,
		"ValidationException",
		"1 validation error detected: Invalid ConditionExpression: The expression has redundant parentheses;"},
	{"40 digits", "PutItem", `{"TableName": "bad", "Item": {"pk": {"S": "a"}, "n": {"N": "` + strings.Repeat("7",
		40) + `"}}}`, nil,
		"ValidationException",
		"1 validation error detected: Attempting to store more than 38 significant digits in a Number"},
	{"an item over 400 KB", "PutItem", `{"TableName": "bad", "Item": {"pk": {"S": "a"}, "big": {"S": "` +
		strings.Repeat("x", 400<<10) + `"}}}`, nil,
		"ValidationException", "Item size has exceeded the maximum allowed size"},
}

func TestBadRequestsGetTheServicesErrors(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t)
	c := client(e)
	makeTable(t, c, "bad")
	for _, b := range bad {
		t.Run(b.what, func(t *testing.T) {
			a := send(t, request(t, e, b.operation, strings.NewReader(b.body), b.headers...))
			name, message := a.errorOf()
			wantStatus := 400
			if b.name == "" {
				wantStatus = 200
			}
			if a.status != wantStatus || name != b.name || message != b.message {
				t.Errorf("%d %.300s", a.status, a.body)
			}
		})
	}
	if n := count(t, c, "bad"); n != 0 {
		t.Errorf("%d items were written", n)
	}
}

func TestBodiesOverTheLimitAreRefused(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t)
	huge := `{"TableName": "` + strings.Repeat("x", 17<<20) + `"}`
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	io.WriteString(w, huge)
	w.Close()
	for what, r := range map[string]*http.Request{
		"declared": request(t, e, "PutItem", strings.NewReader(huge)),
		"chunked":  request(t, e, "PutItem", io.MultiReader(strings.NewReader(huge))),
		"packed":   request(t, e, "PutItem", &packed, "Content-Encoding", "gzip"),
	} {
		resp, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			continue // refused before it was all sent
		}
		resp.Body.Close()
		want := http.StatusRequestEntityTooLarge
		if what == "packed" {
			want = http.StatusInternalServerError // as DynamoDB answered in February 2026
		}
		if resp.StatusCode != want {
			t.Errorf("%s: %d", what, resp.StatusCode)
		}
	}
	if a := send(t, request(t, e, "ListTables", strings.NewReader("{}"))); a.status != 200 {
		t.Errorf("afterwards: %d", a.status)
	}
}

func TestDroppedConnectionsLeaveNoPartialWrites(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t)
	c := client(e)
	makeTable(t, c, "cut")
	body := `{"RequestItems": {"cut": [{"PutRequest": {"Item": {"pk": {"S": "a"}}}}, {"PutRequest": {"Item": {"pk": {"S": "b"}}}}]}}`
	var whole bytes.Buffer
	if err := request(t, e, "BatchWriteItem", strings.NewReader(body)).Write(&whole); err != nil {
		t.Fatal(err)
	}
	for n := 1; n < whole.Len(); n += 37 {
		conn, err := net.Dial("tcp", strings.TrimPrefix(e.DynamoDBURL(), "http://"))
		if err != nil {
			t.Fatal(err)
		}
		conn.Write(whole.Bytes()[:n])
		conn.Close()
	}
	if n := count(t, c, "cut"); n != 0 {
		t.Errorf("%d items were written by requests that were cut off", n)
	}
}

func TestASlowClientIsServed(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t)
	slow, fast := io.Pipe()
	go func() {
		for _, b := range []byte(`{"Limit": 10}`) { // one byte per packet
			fast.Write([]byte{b})
		}
		fast.Close()
	}()
	if a := send(t, request(t, e, "ListTables", slow)); a.status != 200 {
		t.Errorf("%d %s", a.status, a.body)
	}
}

func FuzzServer(f *testing.F) {
	e, err := emulator.Start()
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { e.Close() })
	makeTable(f, client(e), "fuzz")
	for _, b := range bad {
		if len(b.body) < 4096 {
			f.Add(b.operation, b.body)
		}
	}
	f.Add("PutItem", `{"TableName": "fuzz", "Item": {"pk": {"S": "a"}, "n": {"N": "1"}}, "ConditionExpression": "attribute_not_exists(pk)"}`)
	f.Add("UpdateItem", `{"TableName": "fuzz", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET n = n + :one", "ExpressionAttributeValues": {":one": {"N": "1"}}}`)
	f.Add("Query",
		`{"TableName": "fuzz", "KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "a"}}}`)
	f.Add("Scan", `{"TableName": "fuzz", "FilterExpression": "n > :p", "ExpressionAttributeValues": {":p": {"N": "0"}}, "Segment": 0, "TotalSegments": 2}`)
	f.Add("TransactWriteItems",
		`{"TransactItems": [{"Put": {"TableName": "fuzz", "Item": {"pk": {"S": "b"}}}}], "ClientRequestToken": "t"}`)
	f.Add("BatchGetItem", `{"RequestItems": {"fuzz": {"Keys": [{"pk": {"S": "a"}}]}}}`)
	f.Add("CreateTable", `{"TableName": "other", "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}], "AttributeDefinitions": [{"AttributeName": "a", "AttributeType": "S"}], "BillingMode": "PAY_PER_REQUEST"}`)
	f.Fuzz(func(t *testing.T, operation, body string) {
		if strings.ContainsAny(operation, "\r\n\x00") {
			return
		}
		r := request(t, e, "", strings.NewReader(body))
		r.Header["X-Amz-Target"] = []string{"DynamoDB_20120810." +
			strconv.QuoteToASCII(operation)[1:][:len(strconv.QuoteToASCII(operation))-2]}
		if a := send(t, r); a.status != 200 && a.status != 400 {
			t.Errorf("%s %s: %d %s", operation, body, a.status, a.body)
		}
	})
}
