package emulator

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

// arena is an emulator under attack: the tables canary and victim, and the containers canary and victim of the database live.
type arena struct {
	t      *testing.T
	e      *Emulator
	client *http.Client

	mu       sync.Mutex
	statuses map[int]int
	stuck    int
	problems []string
}

const hashTable = `{"TableName":%q,"BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],
	"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]}`

func newArena(t *testing.T) *arena {
	t.Helper()
	e := Run(t, WithCosmosHTTPAddr("127.0.0.1:0"))
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	t.Cleanup(transport.CloseIdleConnections)
	a := &arena{t: t, e: e, client: &http.Client{Transport: transport}, statuses: map[int]int{}}
	for _, table := range []string{"canary", "victim"} {
		a.must("CreateTable", fmt.Sprintf(hashTable, table))
	}
	a.mustCosmos("dbs", "", "/dbs", `{"id":"live"}`)
	for _, container := range []string{"canary", "victim"} {
		a.mustCosmos("colls", "dbs/live", "/dbs/live/colls", fmt.Sprintf(`{"id":%q,"partitionKey":{"paths":["/pk"],"kind":"Hash"}}`, container))
	}
	return a
}

// dynamo sends a request to DynamoDB, or to KMS by the whole of its target, and returns its status and the beginning of its answer.
func (a *arena) dynamo(ctx context.Context, operation, body string) (status int, answer string, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, a.e.DynamoDBURL(), strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	if !strings.Contains(operation, ".") {
		operation = "DynamoDB_20120810." + operation
	}
	for name, value := range map[string]string{
		"Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": operation, "X-Amz-Date": "20260101T000000Z",
		"Authorization": "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=00",
	} {
		r.Header.Set(name, value)
	}
	return a.do(r)
}

func (a *arena) do(r *http.Request) (status int, answer string, err error) {
	resp, err := a.client.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	head, err := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
	if err == nil {
		_, err = io.Copy(io.Discard, resp.Body)
	}
	return resp.StatusCode, string(head), err
}

// cosmos sends a signed request to Cosmos DB.
func (a *arena) cosmos(ctx context.Context, method, kind, link, path, body string, headers ...string) (status int, answer string, err error) {
	r, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(a.e.CosmosHTTPURL(), "/")+path, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	key, err := base64.StdEncoding.DecodeString(CosmosKey)
	if err != nil {
		return 0, "", err
	}
	date := strings.ToLower(time.Now().UTC().Format(http.TimeFormat))
	code := hmac.New(sha256.New, key)
	fmt.Fprintf(code, "%s\n%s\n%s\n%s\n\n", strings.ToLower(method), kind, link, date)
	r.Header.Set("Authorization", url.QueryEscape("type=master&ver=1.0&sig="+base64.StdEncoding.EncodeToString(code.Sum(nil))))
	r.Header.Set("X-Ms-Date", date)
	r.Header.Set("X-Ms-Version", "2018-12-31")
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return a.do(r)
}

func (a *arena) must(operation, body string) {
	a.t.Helper()
	if status, answer, err := a.dynamo(a.t.Context(), operation, body); err != nil || status != http.StatusOK {
		a.t.Fatalf("%s: %d %s %v", operation, status, answer, err)
	}
}

func (a *arena) mustCosmos(kind, link, path, body string, headers ...string) {
	a.t.Helper()
	if status, answer, err := a.cosmos(a.t.Context(), http.MethodPost, kind, link, path, body, headers...); err != nil || status != http.StatusCreated {
		a.t.Fatalf("%s: %d %s %v", path, status, answer, err)
	}
}

// roundTrip writes and reads an item of a table.
func (a *arena) roundTrip(ctx context.Context, table string) error {
	for operation, body := range map[string]string{
		"PutItem": `{"TableName":%q,"Item":{"pk":{"S":"canary"},"v":{"S":"sings"}}}`, "GetItem": `{"TableName":%q,"Key":{"pk":{"S":"canary"}}}`,
	} {
		if status, answer, err := a.dynamo(ctx, operation, fmt.Sprintf(body, table)); err != nil || status != http.StatusOK {
			return fmt.Errorf("%s: %d %s %w", operation, status, answer, err)
		}
	}
	return nil
}

const canaries = "dbs/live/colls/canary"

// cosmosRoundTrip writes and reads an item of a container.
func (a *arena) cosmosRoundTrip(ctx context.Context) error {
	key := []string{"X-Ms-Documentdb-Partitionkey", `["canary"]`, "X-Ms-Documentdb-Is-Upsert", "true"}
	status, answer, err := a.cosmos(ctx, http.MethodPost, "docs", canaries, "/"+canaries+"/docs", `{"id":"1","pk":"canary"}`, key...)
	if err != nil || status != http.StatusOK && status != http.StatusCreated {
		return fmt.Errorf("upsert: %d %s %w", status, answer, err)
	}
	status, answer, err = a.cosmos(ctx, http.MethodGet, "docs", canaries+"/docs/1", "/"+canaries+"/docs/1", "", key[:2]...)
	if err != nil || status != http.StatusOK {
		return fmt.Errorf("read: %d %s %w", status, answer, err)
	}
	return nil
}
