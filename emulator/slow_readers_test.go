package emulator

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/inflight"
	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

// withInflight sets the memory limits of requests and responses in progress.
func withInflight(l inflight.Limits) Option { return func(o *options) { o.inflight = l } }

// rawRequest returns a request to DynamoDB in wire format.
func rawRequest(operation, body string) string {
	return fmt.Sprintf(
		"POST / HTTP/1.1\r\nHost: desk\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Target: DynamoDB_20120810.%s\r\n"+
			"X-Amz-Date: 20260101T000000Z\r\nAuthorization: AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260101/us-east-1/dynamodb/aws4_request, "+
			"SignedHeaders=host, Signature=00\r\nContent-Length: %d\r\n\r\n%s", operation, len(body), body)
}

// dialRaw sends a request and reads nothing.
func dialRaw(t *testing.T, e *Emulator, request string) (net.Conn, *bufio.Reader) {
	t.Helper()
	conn, err := net.Dial("tcp", e.port.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	return conn, bufio.NewReader(conn)
}

// askRaw sends a request on a new connection and returns status and body.
func askRaw(t *testing.T, e *Emulator, operation, body string) (int, string) {
	t.Helper()
	conn, answers := dialRaw(t, e, rawRequest(operation, body))
	defer conn.Close()
	resp, err := http.ReadResponse(answers, nil)
	if err != nil {
		t.Fatalf("%s: %v", operation, err)
	}
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("%s: %v", operation, err)
	}
	return resp.StatusCode, string(text)
}

// withItems creates the table slow with n items of 390 KB, and returns a BatchGetItem of all of them.
func withItems(t *testing.T, e *Emulator, n int) (batch string) {
	t.Helper()
	mustAskRaw(t, e,
		"CreateTable", `{"TableName":"slow","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],
		"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]}`)
	keys := make([]string, n)
	for i := range keys {
		keys[i] = fmt.Sprintf(`{"pk":{"S":"%d"}}`, i)
		mustAskRaw(t, e, "PutItem", fmt.Sprintf(`{"TableName":"slow","Item":{"pk":{"S":"%d"},"v":{"S":"%s"}}}`, i,
			strings.Repeat("x", 390_000)))
	}
	return `{"RequestItems":{"slow":{"Keys":[` + strings.Join(keys, ",") + `]}}}`
}

func mustAskRaw(t *testing.T, e *Emulator, operation, body string) {
	t.Helper()
	if status, answer := askRaw(t, e, operation, body); status != http.StatusOK {
		t.Fatalf("%s: %d %s", operation, status, answer)
	}
}

// fill takes all of a pool except free bytes, as other requests would, until empty is called. Requests return their
// memory after their clients have the responses: fill waits for that.
func fill(t *testing.T, pool *budget.Pool, size, free int64) (empty func()) {
	t.Helper()
	awaitUsed(t, pool, 0)
	if !pool.Take(size-free, 1) {
		t.Fatalf("%d of %d bytes are not free", size-free, size)
	}
	return func() { pool.Return(size - free) }
}

// awaitUsed waits until that many bytes of a pool are in use.
func awaitUsed(t *testing.T, pool *budget.Pool, bytes int64) {
	t.Helper()
	await.True(t, fmt.Sprintf("%d bytes are taken", bytes), func() bool { return pool.Used() == bytes })
}

// TestSlowReadersAreBounded lets many clients request large responses and read nothing. Their memory is limited,
// further requests are throttled, and other clients are served.
func TestSlowReadersAreBounded(t *testing.T) {
	t.Parallel()
	const bytes = 64 << 20
	e := Run(t, withInflight(inflight.Limits{Pool: budget.NewPool(bytes), MaxWait: time.Millisecond,
		PressureTimeout: time.Hour, StallTimeout: time.Hour}))
	batch := withItems(t, e, 39)
	refused := 0
	for range 8 {
		_, answer := dialRaw(t, e, rawRequest("BatchGetItem", batch))
		resp, err := http.ReadResponse(answer, nil)
		if err != nil {
			t.Fatal(err)
		}
		if resp.StatusCode == http.StatusOK {
			continue
		}
		if text, err := io.ReadAll(resp.Body); err != nil || !strings.Contains(string(text), "RequestLimitExceeded") {
			t.Fatalf("%d %s %v", resp.StatusCode, text, err)
		}
		refused++
		mustAskRaw(t, e, "PutItem", `{"TableName":"slow","Item":{"pk":{"S":"canary"}}}`)
		mustAskRaw(t, e, "GetItem", `{"TableName":"slow","Key":{"pk":{"S":"canary"}}}`)
	}
	if refused == 0 {
		t.Error("nobody was refused")
	}
	if held := e.pool.Used(); held > bytes {
		t.Errorf("%d bytes are held, of %d", held, bytes)
	}
}

// TestSlowReadersMakeRoom lets slow readers hold all memory for large requests, and another client request as much: the
// clients that read nothing are disconnected. Nobody waits for memory while the other client reads: otherwise a machine
// that stops for a moment would disconnect it too.
func TestSlowReadersMakeRoom(t *testing.T) {
	t.Parallel()
	const bytes = 150 << 20 // half of it has room for four responses, and not for another request
	e := Run(t, withInflight(inflight.Limits{Pool: budget.NewPool(bytes), MaxWait: time.Minute,
		PressureTimeout: 2 * time.Second, StallTimeout: time.Hour}))
	batch := withItems(t, e, 39)
	for range 4 {
		_, answer := dialRaw(t, e, rawRequest("BatchGetItem", batch))
		if _, err := http.ReadResponse(answer, nil); err != nil {
			t.Fatal(err)
		}
	}
	if waiting := e.pool.Waiting(); waiting > 0 {
		t.Errorf("%d slow readers wait for memory", waiting)
	}
	status, answer := askRaw(t, e, "BatchGetItem", batch)
	if status != http.StatusOK || len(answer) < 39*390_000 {
		t.Errorf("%d, %d bytes: %.200s", status, len(answer), answer)
	}
	await.True(t, "a slow reader no longer holds memory", func() bool { return e.pool.Used() < 4*39*390_000 })
}

// TestSlowReadersOfSmallResponsesMakeRoom lets many clients request items of 60 KB, more of them than their connections
// hold, and read nothing, until there is no memory: another client is throttled only until they are disconnected.
func TestSlowReadersOfSmallResponsesMakeRoom(t *testing.T) {
	t.Parallel()
	e := Run(t, withInflight(inflight.Limits{Pool: budget.NewPool(2 << 20), MaxWait: time.Millisecond,
		StallTimeout: 10 * time.Second}))
	withItems(t, e, 0)
	mustAskRaw(t, e, "PutItem", `{"TableName":"slow","Item":{"pk":{"S":"a"},"v":{"S":"`+strings.Repeat("x", 60_000)+`"}}}`)
	get := rawRequest("GetItem", `{"TableName":"slow","Key":{"pk":{"S":"a"}}}`)
	for range 40 {
		conn, _ := dialRaw(t, e, "")
		_ = conn.(*net.TCPConn).SetReadBuffer(4 << 10) // the system may keep more
		if _, err := io.WriteString(conn, strings.Repeat(get, 100)); err != nil {
			t.Fatal(err)
		}
	}
	await.True(t, "all memory is taken", func() bool { return e.pool.Refused() > 0 })
	large := `{"TableName":"slow","Item":{"pk":{"S":"b"},"v":{"S":"` + strings.Repeat("x", 300_000) + `"}}}`
	await.True(t, "a large request is not throttled", func() bool {
		status, _ := askRaw(t, e, "PutItem", large)
		return status == http.StatusOK
	})
}

// TestBodiesWithoutMemoryAreThrottled sends a body larger than the memory: it is throttled, and not half of it taken
// for the whole.
func TestBodiesWithoutMemoryAreThrottled(t *testing.T) {
	t.Parallel()
	e := Run(t, withInflight(inflight.Limits{Pool: budget.NewPool(1 << 20), MaxWait: time.Millisecond}))
	body := `{"TableName":"slow","Item":{"pk":{"S":"` + strings.Repeat("x", 2<<20) + `"}}}`
	conn, err := net.Dial("tcp", e.port.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	go func() { _, _ = io.WriteString(conn, rawRequest("PutItem", body)) }() // refused before it is all sent
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(resp.Body); resp.StatusCode != http.StatusBadRequest || !strings.Contains(string(text),
		"RequestLimitExceeded") {
		t.Errorf("%d %s %v", resp.StatusCode, text, err)
	}
}

// TestWorkWithoutMemoryIsThrottled fills the pool: each operation that reads or writes much is refused as beyond the
// account's throughput, and small ones are not. Once there is memory, the operation succeeds and returns its memory.
func TestWorkWithoutMemoryIsThrottled(t *testing.T) {
	t.Parallel()
	const size = 256 << 20
	e := Run(t, withInflight(inflight.Limits{Pool: budget.NewPool(size), MaxWait: time.Millisecond}))
	batch := withItems(t, e, 8)
	large := strings.Repeat("y", 300_000)
	var puts, gets []string
	for i := range 8 {
		puts = append(puts, fmt.Sprintf(`{"Put":{"TableName":"slow","Item":{"pk":{"S":"%d"},"v":{"S":"%s"}}}}`, i, large))
		gets = append(gets, fmt.Sprintf(`{"Get":{"TableName":"slow","Key":{"pk":{"S":"%d"}}}}`, i))
	}
	requests := map[string]string{
		"BatchGetItem":       batch,
		"Scan":               `{"TableName":"slow"}`,
		"Query":              `{"TableName":"slow","KeyConditionExpression":"pk = :k","ExpressionAttributeValues":{":k":{"S":"1"}}}`,
		"TransactGetItems":   `{"TransactItems":[` + strings.Join(gets, ",") + `]}`,
		"TransactWriteItems": `{"TransactItems":[` + strings.Join(puts, ",") + `]}`,
		"BatchWriteItem": strings.NewReplacer(`"Put":{"TableName":"slow",`,
			`"PutRequest":{`).Replace(`{"RequestItems":{"slow":[` + strings.Join(puts, ",") + `]}}`),
		"PutItem": `{"TableName":"slow","Item":{"pk":{"S":"0"},"v":{"S":"` + large + `"}}}`,
	}
	const free = 128 << 10
	empty := fill(t, e.pool, size, free)
	for operation, body := range requests {
		if status, answer := askRaw(t, e, operation, body); status != http.StatusBadRequest || !strings.Contains(answer,
			"RequestLimitExceeded") {
			t.Errorf("%s: %d %.200s", operation, status, answer)
		}
	}
	awaitUsed(t, e.pool, size-free)
	mustAskRaw(t, e, "GetItem", `{"TableName":"slow","Key":{"pk":{"S":"none"}}}`)
	empty()
	for operation, body := range requests {
		mustAskRaw(t, e, operation, body)
	}
	awaitUsed(t, e.pool, 0)
}

// TestASmallTransactionOfLargeItemsIsThrottled sends a small transaction on large items: its result counts, not its
// size. A refused transaction writes nothing.
func TestASmallTransactionOfLargeItemsIsThrottled(t *testing.T) {
	t.Parallel()
	const size = 8 << 20
	e := Run(t, withInflight(inflight.Limits{Pool: budget.NewPool(size), MaxWait: time.Millisecond}))
	withItems(t, e, 8)
	var updates []string
	for i := range 8 {
		updates = append(updates,
			fmt.Sprintf(`{"Update":{"TableName":"slow","Key":{"pk":{"S":"%d"}},"UpdateExpression":"SET n = :n","ExpressionAttributeValues":{":n":{"N":"1"}}}}`,
				i))
	}
	body := `{"TransactItems":[` + strings.Join(updates, ",") + `]}`
	empty := fill(t, e.pool, size, 2<<20)
	if status, answer := askRaw(t, e, "TransactWriteItems", body); status != http.StatusBadRequest ||
		!strings.Contains(answer, "RequestLimitExceeded") {
		t.Errorf("%d %.200s", status, answer)
	}
	empty()
	if _, answer := askRaw(t, e, "GetItem",
		`{"TableName":"slow","Key":{"pk":{"S":"0"}},"ProjectionExpression":"n"}`); answer != `{"Item":{}}` {
		t.Errorf("the item has %.200s", answer)
	}
	mustAskRaw(t, e, "TransactWriteItems", body)
}
