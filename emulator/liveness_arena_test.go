package emulator_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

// endpoints are the endpoints of an emulator.
type endpoints struct {
	DynamoDB, Cosmos string
	Identities       bool // whether DynamoDB's signatures are verified
}

// livenessTest is an emulator under attack: the tables canary and victim, and the containers canary and victim of the
// database live.
type livenessTest struct {
	t        *testing.T // nil in the attackers' process
	at       endpoints
	emulator *process // nil in the attackers' process
	client   *http.Client
	problems []string
}

const hashTable = `{"TableName":%q,"BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],
	"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]}`

// connect returns the arena of a running emulator.
func connect(at endpoints) *livenessTest {
	return &livenessTest{at: at, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 256}}}
}

// newLivenessTest starts an emulator in a process of its own, and creates what the canaries use.
func newLivenessTest(t *testing.T, identities bool) *livenessTest {
	t.Helper()
	p := startRole(t, "emulator", false, identities)
	var at endpoints
	if err := p.answer.Decode(&at); err != nil {
		t.Fatalf("the emulator did not start: %v", err)
	}
	a := connect(at)
	a.t, a.emulator = t, p
	t.Cleanup(a.client.CloseIdleConnections)
	for _, table := range []string{"canary", "victim"} {
		a.must("CreateTable", fmt.Sprintf(hashTable, table))
	}
	a.mustCosmos("dbs", "", "/dbs", `{"id":"live"}`)
	for _, container := range []string{"canary", "victim"} {
		a.mustCosmos("colls", "dbs/live", "/dbs/live/colls",
			fmt.Sprintf(`{"id":%q,"partitionKey":{"paths":["/pk"],"kind":"Hash"}}`, container))
	}
	return a
}

// request returns a signed request to DynamoDB, or to the service of a full target.
func (a *livenessTest) request(ctx context.Context, operation, body string) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, a.at.DynamoDB, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	if !strings.Contains(operation, ".") {
		operation = "DynamoDB_20120810." + operation
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", operation)
	return r, a.sign(ctx, r, operation, body)
}

// ana signs the requests; without identities any credentials are accepted.
var ana = aws.Credentials{AccessKeyID: "AKIAANAANAANAANAANA1", SecretAccessKey: "secret-of-ana"}

func (a *livenessTest) sign(ctx context.Context, r *http.Request, operation, body string) error {
	if !a.at.Identities {
		r.Header.Set("X-Amz-Date", "20260101T000000Z")
		r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential="+ana.AccessKeyID+
			"/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=00")
		return nil
	}
	service := "dynamodb"
	switch {
	case strings.HasPrefix(operation, "TrentService"):
		service = "kms"
	case strings.HasPrefix(operation, "GraniteService"):
		service = "monitoring"
	}
	digest := sha256.Sum256([]byte(body))
	return v4.NewSigner().SignHTTP(ctx, ana, r, hex.EncodeToString(digest[:]), service, "us-east-1", time.Now())
}

// dynamo sends a request to DynamoDB, or to another AWS service, and returns its status and the start of its response.
func (a *livenessTest) dynamo(ctx context.Context, operation, body string) (status int, answer string, err error) {
	r, err := a.request(ctx, operation, body)
	if err != nil {
		return 0, "", err
	}
	return a.do(r)
}

// rawRequest returns a request to DynamoDB in wire format.
func (a *livenessTest) rawRequest(operation, body string) string {
	r, err := a.request(context.Background(), operation, body)
	if err != nil {
		return err.Error()
	}
	var raw bytes.Buffer
	_ = r.Write(&raw)
	return raw.String()
}

// admin sends a request to the admin API.
func (a *livenessTest) admin(ctx context.Context, method, path, body string) (status int, answer string, err error) {
	r, err := http.NewRequestWithContext(ctx, method, a.at.DynamoDB+"/_tabletop"+path, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	r.Header.Set("Content-Type", "application/json")
	return a.do(r)
}

func (a *livenessTest) do(r *http.Request) (status int, answer string, err error) {
	resp, err := a.client.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	head, err := io.ReadAll(io.LimitReader(resp.Body, 4<<10))
	if err == nil {
		_, err = io.Copy(io.Discard, resp.Body)
	}
	return resp.StatusCode, string(head), err
}

// cosmos sends a signed request to Cosmos DB.
func (a *livenessTest) cosmos(ctx context.Context, method, kind, link, path, body string,
	headers ...string) (status int,
	answer string, err error) {
	r, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(a.at.Cosmos, "/")+path, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	signCosmos(r, kind, link)
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return a.do(r)
}

func (a *livenessTest) must(operation, body string) (answer string) {
	a.t.Helper()
	status, answer, err := a.dynamo(a.t.Context(), operation, body)
	if err != nil || status != http.StatusOK {
		a.t.Fatalf("%s: %d %s %v", operation, status, answer, err)
	}
	return answer
}

func (a *livenessTest) mustCosmos(kind, link, path, body string, headers ...string) {
	a.t.Helper()
	if status, answer, err := a.cosmos(a.t.Context(), http.MethodPost, kind, link, path, body, headers...); err != nil ||
		status != http.StatusCreated {
		a.t.Fatalf("%s: %d %s %v", path, status, answer, err)
	}
}

// roundTrip returns functions that write and read an item of a table.
func (a *livenessTest) roundTrip(table string) []func(context.Context) error {
	ask := func(operation, body string) func(context.Context) error {
		return func(ctx context.Context) error {
			status, answer, err := a.dynamo(ctx, operation, fmt.Sprintf(body, table))
			return asExpected(operation, status, answer, err)
		}
	}
	return []func(context.Context) error{
		ask("PutItem", `{"TableName":%q,"Item":{"pk":{"S":"canary"},"v":{"S":"sings"}}}`),
		ask("GetItem", `{"TableName":%q,"Key":{"pk":{"S":"canary"}}}`),
	}
}

// cosmosRoundTrip returns functions that write and read an item of a container.
func (a *livenessTest) cosmosRoundTrip(container, partition string) []func(context.Context) error {
	items := "dbs/live/colls/" + container
	key := []string{"X-Ms-Documentdb-Partitionkey", `["` + partition + `"]`, "X-Ms-Documentdb-Is-Upsert", "true"}
	return []func(context.Context) error{
		func(ctx context.Context) error {
			status, answer, err := a.cosmos(ctx, http.MethodPost, "docs", items, "/"+items+"/docs", `{"id":"canary","pk":"`+
				partition+`"}`, key...)
			return asExpected("upsert", status, answer, err)
		},
		func(ctx context.Context) error {
			status, answer, err := a.cosmos(ctx, http.MethodGet, "docs", items+"/docs/canary", "/"+items+"/docs/canary",
				"", key[:2]...)
			return asExpected("read", status, answer, err)
		},
	}
}

func asExpected(what string, status int, answer string, err error) error {
	if err != nil || status != http.StatusOK && status != http.StatusCreated {
		return fmt.Errorf("%s: %d %.300s %v", what, status, answer, err)
	}
	return nil
}
