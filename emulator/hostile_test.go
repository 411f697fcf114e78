package emulator_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/console"
	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

// TestHostileRequestsStopNoService sends each service requests that are nested too deeply, compressed too well, or
// truncated, and then an ordinary one.
func TestHostileRequestsStopNoService(t *testing.T) {
	t.Parallel()
	for name, opts := range map[string][]emulator.Option{"open": nil,
		"with identities": {emulator.WithIdentitiesFrom(strings.NewReader(people))}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sendHostileRequests(t, emulator.Run(t, append(opts, console.Option())...))
		})
	}
}

func sendHostileRequests(t *testing.T, e *emulator.Emulator) {
	t.Helper()
	send(t, request(t, e, "CreateTable", strings.NewReader(`{"TableName":"orders","BillingMode":"PAY_PER_REQUEST",
		"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]}`)))
	deep := strings.Repeat(`{"a":[`, 200_000)
	policy := strings.Repeat(`[`, 15_000) + strings.Repeat(`]`, 15_000)
	wild := `{"Version":"2012-10-17","Statement":{"Effect":"Allow","Principal":"*","Action":"dynamodb:*","Resource":"*","Condition":{"StringLike":{"aws:UserAgent":"` +
		strings.Repeat("*a", 5000) + `b"}}}}`
	policies := func(text string) string {
		return `{"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/orders","KeyId":"alias/mine","PolicyName":"default","Policy":` +
			strconv.Quote(text) + `}`
	}
	bodies := []string{deep, policies(policy), policies(wild), "", "{", "\x00\xff", `"` + strings.Repeat("\\", 99_999)}
	for _, header := range [][2]string{
		{"X-Amz-Target", "DynamoDB_20120810.PutResourcePolicy"},
		{"X-Amz-Target", "DynamoDBStreams_20120810.GetRecords"},
		{"X-Amz-Target", "TrentService.PutKeyPolicy"},
		{"X-Amz-Target", "GraniteServiceVersion20100801.GetMetricData"},
		{"Content-Type", "application/x-www-form-urlencoded"},
	} {
		for _, body := range bodies {
			for _, encoding := range []string{"", "gzip", "deflate"} {
				hostile(t, e, http.MethodPost, "/", body, header[0], header[1], "Content-Encoding", encoding)
			}
		}
	}
	for _, path := range []string{"faults", "identities", "clock/advance", "snapshots", "cost"} {
		for _, body := range bodies {
			hostile(t, e, http.MethodPost, "/_tabletop/"+path, body, "Content-Type", "application/json")
		}
	}
	for _, body := range bodies {
		hostile(t, e, http.MethodPost, "/service/GraniteServiceVersion20100801/operation/GetMetricData", body, "Content-Type",
			"application/cbor", "Smithy-Protocol", "rpc-v2-cbor")
	}
	if a := command(t, e, "GET", "/info", ""); a.status != 200 {
		t.Errorf("afterwards: %d %s", a.status, a.body)
	}
}

// hostile sends a request that must be answered soon, and without an internal error.
func hostile(t *testing.T, e *emulator.Emulator, method, path, body string, headers ...string) {
	t.Helper()
	r := request(t, e, "", strings.NewReader(body), append([]string{"X-Amz-Target", ""}, headers...)...)
	r.Method, r.URL.Path = method, path
	began := time.Now()
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return // refused before it was all sent
	}
	resp.Body.Close()
	// DynamoDB responds to bodies that are not in the format of their encoding with 500
	if resp.StatusCode >= 500 && (r.Header.Get("Content-Encoding") == "" || resp.StatusCode > 500) {
		t.Errorf("%s %s %v %.30q: %d", method, path, headers, body, resp.StatusCode)
	}
	if took := time.Since(began); took > await.Timeout {
		t.Errorf("%s %s %v %.30q: it took %v", method, path, headers, body, took)
	}
}
