package dynamo

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
)

// TestObserversReceiveEveryRequest checks the events of a success and of a failure, and the capacity that each
// consumed.
func TestObserversReceiveEveryRequest(t *testing.T) {
	t.Parallel()
	var seen []string
	s, err := New(Config{Store: openMemory(t), Clock: clock.Manual(time.Unix(1000, 0)),
		Observers: []func(*telemetry.Event){func(e *telemetry.Event) {
			seen = append(seen, fmt.Sprintf("%s %d %s %v request %t answer %t at %d", e.Operation, e.Status, e.Error, e.Charges,
				len(e.Request) > 0, len(e.Response) > 0, e.Start.Unix()))
		}}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	mustRun(t, s, "CreateTable", sessions)
	mustRun(t, s, "UpdateTable", byCity)
	for _, c := range []struct{ operation, body, want string }{
		{"PutItem", `{"TableName":"sessions","Item":{"id":{"S":"1"},"city":{"S":"Turku"}}}`,
			"PutItem 200  [{sessions  false true 1} {sessions by-city false true 1}] request true answer true at 1000"},
		{"GetItem", `{"TableName":"sessions","Key":{"id":{"S":"1"}}}`,
			"GetItem 200  [{sessions  false false 0.5}] request true answer true at 1000"},
		{"PutItem", `{"TableName":"sessions","Item":{"id":{"S":"1"}},"ConditionExpression":"attribute_not_exists(id)"}`,
			"PutItem 400 ConditionalCheckFailedException [{sessions  false true 1}] request true answer true at 1000"},
		{"GetItem", `{"TableName":"no-such-table","Key":{"id":{"S":"1"}}}`,
			"GetItem 400 ResourceNotFoundException [] request true answer true at 1000"},
		{"Dance", `{}`, " 400 UnknownOperationException [] request true answer true at 1000"},
	} {
		seen = nil
		r := httptest.NewRequest("POST", "/", strings.NewReader(c.body))
		r.Header.Set("Content-Type", "application/x-amz-json-1.0")
		r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+c.operation)
		r.Header.Set("X-Amz-Date", "20261121T120000Z")
		r.Header.Set("Authorization",
			"AWS4-HMAC-SHA256 Credential=desk/20261121/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0")
		s.ServeHTTP(httptest.NewRecorder(), r)
		if len(seen) != 1 || seen[0] != c.want {
			t.Errorf("%s: observers saw %q, want %q", c.operation, seen, c.want)
		}
	}
}
