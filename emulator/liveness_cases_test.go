package emulator_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"
)

// hostileCases returns all kinds of hostile requests, grouped by target.
func hostileCases() []hostileCase {
	return slices.Concat(connectionCases(), protocolCases(), dynamoCases(), otherCases(), aroundCases(), cosmosCases())
}

// connectionCases attack the servers of any service.
func connectionCases() []hostileCase {
	return []hostileCase{
		{name: "slow readers", clients: 12, prepare: largeItems, send: leave(func(a *livenessTest) string {
			return a.rawRequest("BatchGetItem", allLarge())
		})},
		{name: "slow headers", clients: 100, send: leave(func(*livenessTest) string {
			return "POST / HTTP/1.1\r\nHost: desk\r\nX-Slow: "
		})},
		{name: "promised bodies", clients: 100, send: leave(func(*livenessTest) string {
			return "POST / HTTP/1.1\r\nHost: desk\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Target: DynamoDB_20120810.PutItem\r\nContent-Length: 16000000\r\n\r\n{"
		})},
		{name: "100-continue without a body", clients: 50, send: leave(func(*livenessTest) string {
			return "POST / HTTP/1.1\r\nHost: desk\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Target: DynamoDB_20120810.PutItem\r\nExpect: 100-continue\r\nContent-Length: 1000\r\n\r\n"
		})},
		{name: "connections reset in their answers", clients: 4, prepare: largeItems, send: reset},
		{name: "large headers", clients: 4, send: func(ctx context.Context, a *livenessTest) (int, error) {
			return a.raw(ctx, "GET / HTTP/1.1\r\nHost: desk\r\nX-Large: "+strings.Repeat("x", 1<<20)+"\r\n\r\n")
		}},
		{name: "pipelined requests", clients: 4, send: leave(func(a *livenessTest) string {
			return strings.Repeat(a.rawRequest("GetItem", `{"TableName":"victim","Key":{"pk":{"S":"1"}}}`), 500)
		})},
	}
}

// dynamoCases attack the DynamoDB service.
func dynamoCases() []hostileCase {
	return []hostileCase{
		{name: "deep JSON", clients: 4, send: repeat("PutItem", `{"TableName":"victim","Item":`+
			strings.Repeat(`{"M":{"a":`, 100_000))},
		{name: "16 MB bodies", clients: 16, send: repeat("PutItem", `{"TableName":"victim","Item":{"pk":{"S":"`+
			strings.Repeat("x", 15<<20)+`"}}}`)},
		{name: "large batches", clients: 8, prepare: largeItems, send: repeat("BatchGetItem", allLarge())},
		{name: "scans", clients: 8, prepare: largeItems, send: repeat("Scan", `{"TableName":"victim"}`)},
		{name: "transactions on one key", clients: 16,
			send: repeat("TransactWriteItems", `{"TransactItems":[{"Update":{"TableName":"victim","Key":{"pk":{"S":"hot"}},
			"UpdateExpression":"ADD n :one","ExpressionAttributeValues":{":one":{"N":"1"}}}}]}`)},
		{name: "many legacy conditions on a wide item", clients: 2, prepare: wideItem,
			send: repeat("PutItem", legacyConditions(20_000))},
		{name: "tables that come and go", clients: 4, send: func(ctx context.Context, a *livenessTest) (int, error) {
			name := unique("table")
			return first(
				func() (int, string, error) { return a.dynamo(ctx, "CreateTable", fmt.Sprintf(hashTable, name)) },
				func() (int, string, error) {
					return a.dynamo(ctx, "DeleteTable", fmt.Sprintf(`{"TableName":%q}`, name))
				},
			)
		}},
		{name: "backups of a large table", clients: 2, prepare: largeItems, send: repeat("CreateBackup",
			`{"TableName":"victim","BackupName":"one"}`)},
	}
}

// otherCases attack the other services.
func otherCases() []hostileCase {
	return []hostileCase{
		{name: "KMS", clients: 8, send: repeat("TrentService.CreateKey", `{}`)},
		{name: "scrapes of the metrics", clients: 8, send: getting("/metrics")},
		{name: "the clock moves by a year", clients: 1, send: commanded(http.MethodPost, "/clock/advance",
			`{"duration":"24h"}`)},
		{name: "snapshots", clients: 1, send: commanded(http.MethodPost, "/snapshots", `{}`)},
	}
}

// repeat returns a function that sends one request.
func repeat(operation, body string) func(context.Context, *livenessTest) (int, error) {
	return func(ctx context.Context, a *livenessTest) (int, error) {
		status, _, err := a.dynamo(ctx, operation, body)
		return status, err
	}
}

func getting(path string) func(context.Context, *livenessTest) (int, error) {
	return func(ctx context.Context, a *livenessTest) (int, error) {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, a.at.DynamoDB+path, nil)
		if err != nil {
			return 0, err
		}
		status, _, err := a.do(r)
		return status, err
	}
}

// raw sends bytes and returns the status of the response.
func (a *livenessTest) raw(ctx context.Context, request string) (int, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", strings.TrimPrefix(a.at.DynamoDB, "http://"))
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	if deadline, ok := ctx.Deadline(); ok {
		if err := conn.SetDeadline(deadline); err != nil {
			return 0, err
		}
	}
	go func() { _, _ = io.WriteString(conn, request) }() // it may be refused before it is all sent
	var status int
	_, err = fmt.Fscanf(conn, "HTTP/1.1 %d", &status)
	return status, err
}

// leave returns a function that opens a connection, sends a request, and keeps the connection open for a moment without
// reading.
func leave(request func(*livenessTest) string) func(context.Context, *livenessTest) (int, error) {
	return func(ctx context.Context, a *livenessTest) (int, error) {
		conn, err := new(net.Dialer).DialContext(ctx, "tcp", strings.TrimPrefix(a.at.DynamoDB, "http://"))
		if err != nil {
			return 0, err
		}
		defer conn.Close()
		if err := conn.SetWriteDeadline(time.Now().Add(time.Second)); err != nil {
			return 0, err
		}
		_, _ = io.WriteString(conn, request(a)) // it may read no more of it
		held, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
		defer cancel()
		<-held.Done()
		return 0, nil
	}
}

// reset requests a large response, reads its start, and resets the connection.
func reset(ctx context.Context, a *livenessTest) (int, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", strings.TrimPrefix(a.at.DynamoDB, "http://"))
	if err != nil {
		return 0, err
	}
	if _, err := io.WriteString(conn, a.rawRequest("BatchGetItem", allLarge())); err == nil {
		_, _ = conn.Read(make([]byte, 100))
	}
	_ = conn.(*net.TCPConn).SetLinger(0)
	return 0, conn.Close()
}

// commanded returns a function that sends a request to the admin API.
func commanded(method, path, body string) func(context.Context, *livenessTest) (int, error) {
	return func(ctx context.Context, a *livenessTest) (int, error) {
		status, _, err := a.admin(ctx, method, path, body)
		return status, err
	}
}
