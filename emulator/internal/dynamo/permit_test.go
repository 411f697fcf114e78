package dynamo

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/model/identities"
)

// TestAccessesOfOperations checks which permissions requests need: actions, resources and condition keys.
func TestAccessesOfOperations(t *testing.T) {
	t.Parallel()
	var seen []telemetry.Access
	s, err := New(Config{Store: openMemory(t), Clock: clock.Manual(time.Unix(1000, 0)),
		Observers: []func(*telemetry.Event){func(e *telemetry.Event) {
			seen = append(seen[:0], e.Accesses...)
		}}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	mustRun(t, s, "CreateTable", sessions)
	mustRun(t, s, "UpdateTable", byCity)
	s.RecordAccesses(true)
	for _, c := range []struct{ operation, body, want string }{
		{"GetItem", `{"TableName":"sessions","Key":{"id":{"S":"1"}},"ProjectionExpression":"a.b, c[0], #n","ExpressionAttributeNames":{"#n":"d"},"ReturnConsumedCapacity":"TOTAL"}`,
			"GetItem table/sessions Attributes=[id a c d] LeadingKeys=[1] ReturnConsumedCapacity=[TOTAL] Select=[SPECIFIC_ATTRIBUTES]"},
		{"PutItem", `{"TableName":"sessions","Item":{"id":{"S":"1"},"x":{"N":"1"}},"ConditionExpression":"size(y) > :s","ExpressionAttributeValues":{":s":{"N":"1"}},"ReturnValues":"ALL_OLD"}`,
			"PutItem table/sessions Attributes=[id x y] LeadingKeys=[1] ReturnConsumedCapacity=[NONE] ReturnValues=[ALL_OLD]"},
		{"UpdateItem", `{"TableName":"sessions","Key":{"id":{"S":"1"}},"UpdateExpression":"SET a.b = c + :n REMOVE d","ExpressionAttributeValues":{":n":{"N":"1"}}}`,
			"UpdateItem table/sessions Attributes=[id a c d] LeadingKeys=[1] ReturnConsumedCapacity=[NONE] ReturnValues=[NONE]"},
		{"DeleteItem", `{"TableName":"sessions","Key":{"id":{"S":"1"}},"Expected":{"e":{"Exists":false}}}`,
			"DeleteItem table/sessions Attributes=[id e] LeadingKeys=[1] ReturnConsumedCapacity=[NONE] ReturnValues=[NONE]"},
		{"Query", `{"TableName":"sessions","IndexName":"by-city","KeyConditionExpression":"city = :c","FilterExpression":"f = :c","ExpressionAttributeValues":{":c":{"S":"Turku"}}}`,
			"Query table/sessions/index/by-city Attributes=[city f] LeadingKeys=[Turku] ReturnConsumedCapacity=[NONE] Select=[ALL_PROJECTED_ATTRIBUTES]"},
		{"Scan", `{"TableName":"sessions","Select":"COUNT"}`,
			"Scan table/sessions ReturnConsumedCapacity=[NONE] Select=[COUNT]"},
		{"BatchGetItem", `{"RequestItems":{"sessions":{"Keys":[{"id":{"S":"1"}},{"id":{"S":"2"}}],"AttributesToGet":["a"]},"other":{"Keys":[{"k":{"B":"AQI="}}]}}}`,
			"BatchGetItem table/sessions Attributes=[id a] LeadingKeys=[1 2] ReturnConsumedCapacity=[NONE] Select=[SPECIFIC_ATTRIBUTES]; BatchGetItem table/other Attributes=[k] ReturnConsumedCapacity=[NONE] Select=[ALL_ATTRIBUTES]"},
		{"BatchGetItem", `{"RequestItems":{"arn:aws:dynamodb:us-east-1:000000000000:table/sessions":{"Keys":[{"id":{"S":"1"}}],"AttributesToGet":["a"]},"sessions":{"Keys":[{"id":{"S":"2"}}]}}}`,
			"BatchGetItem table/sessions Attributes=[id a] LeadingKeys=[1 2] ReturnConsumedCapacity=[NONE] Select=[ALL_ATTRIBUTES]"},
		{"BatchGetItem", `{"RequestItems":{"sessions":{"Keys":[{"id":{"S":"1"}}],"AttributesToGet":["a"]},"arn:aws:dynamodb:us-east-1:000000000000:table/sessions":{"Keys":[{"id":{"S":"2"}}],"AttributesToGet":["b"]}}}`,
			"BatchGetItem table/sessions Attributes=[id a b] LeadingKeys=[1 2] ReturnConsumedCapacity=[NONE] Select=[SPECIFIC_ATTRIBUTES]"},
		{"BatchWriteItem", `{"RequestItems":{"sessions":[{"PutRequest":{"Item":{"id":{"S":"1"},"a":{"S":"x"}}}},{"DeleteRequest":{"Key":{"id":{"S":"2"}}}}]}}`,
			"BatchWriteItem table/sessions Attributes=[a id] LeadingKeys=[1 2] ReturnConsumedCapacity=[NONE]"},
		{"TransactGetItems", `{"TransactItems":[{"Get":{"TableName":"sessions","Key":{"id":{"S":"1"}}}},{"Get":{"TableName":"sessions","Key":{"id":{"S":"2"}},"ProjectionExpression":"a"}}]}`,
			"GetItem table/sessions Attributes=[id] EnclosingOperation=[TransactGetItems] LeadingKeys=[1] ReturnConsumedCapacity=[NONE] Select=[ALL_ATTRIBUTES]; GetItem table/sessions Attributes=[id a] EnclosingOperation=[TransactGetItems] LeadingKeys=[2] ReturnConsumedCapacity=[NONE] Select=[SPECIFIC_ATTRIBUTES]"},
		{"TransactWriteItems", `{"TransactItems":[{"ConditionCheck":{"TableName":"sessions","Key":{"id":{"S":"1"}},"ConditionExpression":"attribute_not_exists(z)"}},{"Update":{"TableName":"sessions","Key":{"id":{"S":"2"}},"UpdateExpression":"REMOVE y"}}]}`,
			"ConditionCheckItem table/sessions Attributes=[id z] EnclosingOperation=[TransactWriteItems] LeadingKeys=[1] ReturnConsumedCapacity=[NONE]; UpdateItem table/sessions Attributes=[id y] EnclosingOperation=[TransactWriteItems] LeadingKeys=[2] ReturnConsumedCapacity=[NONE]"},
		{"ExecuteStatement", `{"Statement":"SELECT a FROM sessions WHERE id = '1' AND b = 2"}`,
			"PartiQLSelect table/sessions Attributes=[b id a] FullTableScan=[false] LeadingKeys=[1] ReturnConsumedCapacity=[NONE] Select=[SPECIFIC_ATTRIBUTES]"},
		{"ExecuteStatement", `{"Statement":"SELECT * FROM sessions WHERE b = 2"}`,
			"PartiQLSelect table/sessions Attributes=[b] FullTableScan=[true] ReturnConsumedCapacity=[NONE] Select=[ALL_ATTRIBUTES]"},
		{"ExecuteStatement", `{"Statement":"SELECT * FROM sessions.\"by-city\" WHERE city IN ['Turku', 'Oulu']"}`,
			"PartiQLSelect table/sessions/index/by-city Attributes=[city] FullTableScan=[false] LeadingKeys=[Turku Oulu] ReturnConsumedCapacity=[NONE] Select=[ALL_ATTRIBUTES]"},
		{"BatchExecuteStatement", `{"Statements":[{"Statement":"INSERT INTO sessions VALUE {'id': '1', 'a': 2}"},{"Statement":"SLECT"},{"Statement":"UPDATE sessions SET a = b WHERE id = '2'"}]}`,
			"PartiQLInsert table/sessions Attributes=[a id] LeadingKeys=[1] ReturnConsumedCapacity=[NONE]; PartiQLUpdate table/sessions Attributes=[id b a] LeadingKeys=[2] ReturnConsumedCapacity=[NONE] ReturnValues=[NONE]"},
		{"BatchExecuteStatement", `{"Statements":[{"Statement":"DELETE FROM sessions WHERE id = '1'"},{"Statement":"DELETE FROM sessions WHERE id = '2'"}]}`,
			"PartiQLDelete table/sessions Attributes=[id] LeadingKeys=[1] ReturnConsumedCapacity=[NONE] ReturnValues=[NONE]; PartiQLDelete table/sessions Attributes=[id] LeadingKeys=[2] ReturnConsumedCapacity=[NONE] ReturnValues=[NONE]"},
		{"ExecuteTransaction", `{"TransactStatements":[{"Statement":"EXISTS(SELECT * FROM sessions WHERE id = '1' AND a = 1)"},{"Statement":"DELETE FROM sessions WHERE id = '2'"}]}`,
			"PartiQLSelect table/sessions Attributes=[a id] EnclosingOperation=[ExecuteTransaction] FullTableScan=[false] LeadingKeys=[1] ReturnConsumedCapacity=[NONE]; PartiQLDelete table/sessions Attributes=[id] EnclosingOperation=[ExecuteTransaction] LeadingKeys=[2] ReturnConsumedCapacity=[NONE] ReturnValues=[NONE]"},
		// A statement that writes or checks an item has that item's key, whatever else it says of the key.
		{"ExecuteStatement", `{"Statement":"UPDATE sessions SET a = 1 WHERE id = '1' AND id > '0'"}`,
			"PartiQLUpdate table/sessions Attributes=[id a] LeadingKeys=[1] ReturnConsumedCapacity=[NONE] ReturnValues=[NONE]"},
		{"ExecuteStatement", `{"Statement":"DELETE FROM sessions WHERE id = '1' AND id IN ['1', '2']"}`,
			"PartiQLDelete table/sessions Attributes=[id] LeadingKeys=[1] ReturnConsumedCapacity=[NONE] ReturnValues=[NONE]"},
		{"ExecuteTransaction", `{"TransactStatements":[{"Statement":"EXISTS(SELECT * FROM sessions WHERE id = '1' AND begins_with(id, '1'))"}]}`,
			"PartiQLSelect table/sessions Attributes=[id] EnclosingOperation=[ExecuteTransaction] FullTableScan=[false] LeadingKeys=[1] ReturnConsumedCapacity=[NONE]"},
		{"ExecuteStatement", `{"Statement":"UPDATE sessions SET a = 1 WHERE id = '1' RETURNING MODIFIED NEW *"}`,
			"PartiQLUpdate table/sessions Attributes=[id a] LeadingKeys=[1] ReturnConsumedCapacity=[NONE] ReturnValues=[UPDATED_NEW]"},
		{"ExecuteStatement", `{"Statement":"DELETE FROM sessions WHERE id = '1' RETURNING ALL OLD *"}`,
			"PartiQLDelete table/sessions Attributes=[id] LeadingKeys=[1] ReturnConsumedCapacity=[NONE] ReturnValues=[ALL_OLD]"},
		{"ListTables", `{}`, "ListTables table/*"},
		{"DescribeTable", `{"TableName":"sessions"}`, "DescribeTable table/sessions"},
		{"DescribeLimits", `{}`, "DescribeLimits *"},
		// An ARN needs the same permissions as the name.
		{"DescribeTable", `{"TableName":"arn:aws:dynamodb:us-east-1:000000000000:table/sessions"}`,
			"DescribeTable table/sessions"},
		{"GetItem", `{"TableName":"arn:aws:dynamodb:us-east-1:000000000000:table/sessions","Key":{"id":{"S":"1"}}}`,
			"GetItem table/sessions Attributes=[id] LeadingKeys=[1] ReturnConsumedCapacity=[NONE] Select=[ALL_ATTRIBUTES]"},
		{"BatchGetItem", `{"RequestItems":{"arn:aws:dynamodb:us-east-1:000000000000:table/sessions":{"Keys":[{"id":{"S":"1"}}]}}}`,
			"BatchGetItem table/sessions Attributes=[id] LeadingKeys=[1] ReturnConsumedCapacity=[NONE] Select=[ALL_ATTRIBUTES]"},
		{"GetResourcePolicy", `{"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/sessions"}`,
			"GetResourcePolicy table/sessions"},
	} {
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(c.body))
		r.Header.Set("Content-Type", "application/x-amz-json-1.0")
		r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+c.operation)
		r.Header.Set("X-Amz-Date", "20261121T120000Z")
		r.Header.Set("Authorization",
			"AWS4-HMAC-SHA256 Credential=desk/20261121/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0")
		s.ServeHTTP(httptest.NewRecorder(), r)
		if got := accessText(seen); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.operation, got, c.want)
		}
	}
}

func accessText(all []telemetry.Access) string {
	var texts []string
	for _, a := range all {
		text := strings.TrimPrefix(a.Action, "dynamodb:") + " " + strings.TrimPrefix(a.Resource,
			"arn:aws:dynamodb:us-east-1:000000000000:")
		for _, key := range slices.Sorted(maps.Keys(a.Context)) {
			text += fmt.Sprintf(" %s=%v", strings.TrimPrefix(key, "dynamodb:"), a.Context[key])
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, "; ")
}

// BenchmarkIdentities reads an item without identities, and with signatures and policies.
func BenchmarkIdentities(b *testing.B) {
	d, err := identities.Parse("people", []byte(`
users:
  ana:
    keys: [{id: AKIAANAANAANAANAANA1, secret: secret-of-ana}]
    inline: {own: {Version: "2012-10-17", Statement: {Effect: Allow, Action: "dynamodb:*", Resource: "arn:aws:dynamodb:*:*:table/bench", Condition: {"ForAllValues:StringEquals": {"dynamodb:LeadingKeys": "p"}}}}}
`))
	if err != nil {
		b.Fatal(err)
	}
	st, err := store.Open(store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { st.Close() })
	who, err := identity.New(identity.Config{Store: st, Clock: clock.Real(), File: d})
	if err != nil {
		b.Fatal(err)
	}
	s := newBenchService(b)
	const body = `{"TableName":"bench","Key":{"pk":{"S":"p"},"sk":{"S":"s"}}}`
	mustAsk(b, s, "PutItem", `{"TableName":"bench","Item":{`+benchItem("p", "s")+`}}`)
	r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1:8000/", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810.GetItem")
	sum := sha256.Sum256([]byte(body))
	keys := aws.Credentials{AccessKeyID: "AKIAANAANAANAANAANA1", SecretAccessKey: "secret-of-ana"}
	if err := v4.NewSigner().SignHTTP(context.Background(), keys, r, hex.EncodeToString(sum[:]), "dynamodb", "us-east-1",
		time.Now()); err != nil {
		b.Fatal(err)
	}
	for name, gate := range map[string]identity.Gate{"without": identity.AllowAll(), "with": who.Gate("dynamodb")} {
		s.gate = gate
		b.Run(name, func(b *testing.B) { benchRequest(b, s, r, body) })
	}
}

// benchRequest sends a request repeatedly.
func benchRequest(b *testing.B, s *Service, r *http.Request, body string) {
	text := strings.NewReader(body)
	r.Body = readCloser{text}
	b.ReportAllocs()
	for b.Loop() {
		text.Reset(body)
		w := &recorder{header: http.Header{}}
		if s.ServeHTTP(w, r); w.status != http.StatusOK {
			b.Fatal(w.status, w.body.String())
		}
	}
}

type readCloser struct{ *strings.Reader }

func (readCloser) Close() error { return nil }
