package emulator_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"github.com/tabletop-db/tabletop/emulator"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// counter is an emulator with a table of counters, and a client without retries.
type counter struct {
	*emulator.Emulator
	db *dynamodb.Client
}

func newCounter(t *testing.T, opts ...emulator.Option) counter {
	t.Helper()
	e := emulator.Run(t, opts...)
	c := counter{e, dynamodb.NewFromConfig(e.AWSConfig(), func(o *dynamodb.Options) { o.Retryer = aws.NopRetryer{} })}
	newTable(c.db, "counters")
	return c
}

// fail sets a fault.
func (c counter) fail(t *testing.T, f emulator.Fault) (remove func()) {
	t.Helper()
	remove, err := c.Fail(f)
	if err != nil {
		t.Fatal(err)
	}
	return remove
}

// await waits until n requests wait because of the first fault.
func (c counter) await(n int) {
	for c.Faults()[0].Waiting < n {
		runtime.Gosched()
	}
}

func counterKey(id string) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: id}}
}

func increment(id string) *dynamodb.UpdateItemInput {
	return &dynamodb.UpdateItemInput{TableName: aws.String("counters"), Key: counterKey(id),
		UpdateExpression:          aws.String("ADD n :one"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":one": &types.AttributeValueMemberN{Value: "1"}}}
}

func incrementAll(token string, ids ...string) *dynamodb.TransactWriteItemsInput {
	in := &dynamodb.TransactWriteItemsInput{ClientRequestToken: &token}
	for _, id := range ids {
		u := increment(id)
		in.TransactItems = append(in.TransactItems, types.TransactWriteItem{Update: &types.Update{
			TableName: u.TableName, Key: u.Key, UpdateExpression: u.UpdateExpression,
			ExpressionAttributeValues: u.ExpressionAttributeValues}})
	}
	return in
}

// value returns the value of a counter.
func (c counter) value(t *testing.T, id string, consistent bool) string {
	t.Helper()
	out, err := c.db.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("counters"), Key: counterKey(id),
		ConsistentRead: &consistent})
	if err != nil {
		t.Fatal(err)
	}
	if n, ok := out.Item["n"].(*types.AttributeValueMemberN); ok {
		return n.Value
	}
	return "0"
}

// code returns the service's code of an error.
func code(err error) string {
	var api smithy.APIError
	if errors.As(err, &api) {
		return api.ErrorCode()
	}
	return fmt.Sprint(err)
}

func TestFaultsReturnServiceErrors(t *testing.T) {
	t.Parallel()
	for action, want := range map[emulator.FaultAction]string{
		emulator.DoThrottle:      "400 ThrottlingException",
		emulator.DoInternalError: "500 InternalServerError",
		emulator.DoUnavailable:   "503 ServiceUnavailableException",
	} {
		t.Run(string(action), func(t *testing.T) {
			t.Parallel()
			c := newCounter(t, emulator.WithFaults(emulator.Fault{Do: action, Operations: []string{"Update*"},
				Tables: []string{"count*"}}))
			_, err := c.db.UpdateItem(t.Context(), increment("a"))
			var response *awshttp.ResponseError
			if !errors.As(err, &response) || fmt.Sprint(response.HTTPStatusCode(), " ", code(err)) != want {
				t.Errorf("it is refused with %v", err)
			}
			if got := c.value(t, "a", true); got != "0" {
				t.Errorf("the counter stands at %s", got)
			}
		})
	}
}

// TestResponseLostAfterCommit shows that a retry performs a request twice, unless the request has a token.
func TestResponseLostAfterCommit(t *testing.T) {
	t.Parallel()
	for _, cut := range []emulator.FaultAction{emulator.DoCutBeforeCommit, emulator.DoCutAfterCommit} {
		t.Run(string(cut), func(t *testing.T) {
			t.Parallel()
			c := newCounter(t)
			patient := dynamodb.NewFromConfig(c.AWSConfig())
			remove := c.fail(t, emulator.Fault{Do: cut, Operations: []string{"UpdateItem", "TransactWriteItems"},
				Every: 1, Times: 1})
			if _, err := patient.UpdateItem(t.Context(), increment("plain")); err != nil {
				t.Fatal(err)
			}
			remove()
			c.fail(t, emulator.Fault{Do: cut, Operations: []string{"TransactWriteItems"}, Times: 1})
			if _, err := patient.TransactWriteItems(t.Context(), incrementAll("token", "safe")); err != nil {
				t.Fatal(err)
			}
			want := "1"
			if cut == emulator.DoCutAfterCommit {
				want = "2"
			}
			if plain, safe := c.value(t, "plain", true), c.value(t, "safe", true); plain != want || safe != "1" {
				t.Errorf("the counters stand at %s and %s, want %s and 1", plain, safe, want)
			}
		})
	}
}

// TestACutConnectionIsClosed sends requests over HTTP/1.1 and HTTP/2, whose clients get no response.
func TestACutConnectionIsClosed(t *testing.T) {
	t.Parallel()
	var one, two http.Protocols
	one.SetHTTP1(true)
	two.SetUnencryptedHTTP2(true)
	for name, protocols := range map[string]*http.Protocols{"HTTP/1.1": &one, "HTTP/2": &two} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCounter(t, emulator.WithFaults(emulator.Fault{Do: emulator.DoCutAfterCommit,
				Operations: []string{"ListTables"}, Times: 1}))
			client := &http.Client{Transport: &http.Transport{Protocols: protocols}}
			ask := func() (int, error) {
				r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.DynamoDBURL(), strings.NewReader("{}"))
				if err != nil {
					t.Fatal(err)
				}
				r.Header.Set("Content-Type", "application/x-amz-json-1.0")
				r.Header.Set("X-Amz-Target", "DynamoDB_20120810.ListTables")
				r.Header.Set("X-Amz-Date", "20261121T120000Z")
				r.Header.Set("Authorization",
					"AWS4-HMAC-SHA256 Credential=test/20261121/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0")
				answer, err := client.Do(r)
				if err != nil {
					return 0, err
				}
				return answer.StatusCode, answer.Body.Close()
			}
			if status, err := ask(); err == nil {
				t.Errorf("the answer comes: %d", status)
			}
			if status, err := ask(); err != nil || status != http.StatusOK {
				t.Errorf("the next request: %d, %v", status, err)
			}
		})
	}
}

func TestADelayWaitsForTheClock(t *testing.T) {
	t.Parallel()
	c := newCounter(t, emulator.WithManualClock(noon), emulator.WithFaults(emulator.Fault{Do: emulator.DoDelay,
		Latency: time.Minute, Operations: []string{"UpdateItem"}}))
	done := make(chan error)
	go func() {
		_, err := c.db.UpdateItem(context.WithoutCancel(t.Context()), increment("a"))
		done <- err
	}()
	c.await(1)
	if got := c.value(t, "a", true); got != "0" {
		t.Errorf("the counter stands at %s before its time", got)
	}
	if err := c.Advance(time.Minute); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestHeldRequestsAreReleased checks that neither Reset nor Close waits for a stopped clock.
func TestHeldRequestsAreReleased(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*emulator.Emulator) error{"Reset": (*emulator.Emulator).Reset,
		"Close": (*emulator.Emulator).Close} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCounter(t, emulator.WithManualClock(noon), emulator.WithFaults(emulator.Fault{Do: emulator.DoHold,
				Latency: time.Hour}))
			done := make(chan error)
			go func() {
				_, err := c.db.UpdateItem(context.WithoutCancel(t.Context()), increment("a"))
				done <- err
			}()
			c.await(1)
			if err := end(c.Emulator); err != nil {
				t.Error(err)
			}
			if err := <-done; err != nil {
				t.Error(err)
			}
		})
	}
}

func TestStaleFaultReturnsAnOldState(t *testing.T) {
	t.Parallel()
	c := newCounter(t, emulator.WithManualClock(noon))
	c.fail(t, emulator.Fault{Do: emulator.DoStale, PartitionKey: "a"})
	for _, id := range []string{"a", "b"} {
		if _, err := c.db.UpdateItem(t.Context(), increment(id)); err != nil {
			t.Fatal(err)
		}
	}
	if a, b, sure := c.value(t, "a", false), c.value(t, "b", false), c.value(t, "a", true); a != "0" ||
		b != "1" || sure != "1" {
		t.Errorf("a stands at %s, b at %s, a for sure at %s", a, b, sure)
	}
	if err := c.Advance(time.Second); err != nil {
		t.Fatal(err)
	}
	if a := c.value(t, "a", false); a != "1" {
		t.Errorf("a stands at %s a second later", a)
	}
	if f := c.Faults()[0]; f.Hits != 2 || f.Matched != 2 {
		t.Errorf("the fault struck %d times of %d", f.Hits, f.Matched)
	}
}

func TestUnprocessedFaultReturnsPartOfABatch(t *testing.T) {
	t.Parallel()
	c := newCounter(t, emulator.WithFaults(emulator.Fault{Do: emulator.DoUnprocessed, Members: 2,
		Operations: []string{"Batch*"}, Every: 1, Times: 2}))
	var writes []types.WriteRequest
	var keys []map[string]types.AttributeValue
	for _, id := range []string{"a", "b", "c"} {
		writes = append(writes, types.WriteRequest{PutRequest: &types.PutRequest{Item: counterKey(id)}})
		keys = append(keys, counterKey(id))
	}
	written, err := c.db.BatchWriteItem(t.Context(),
		&dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{"counters": writes}})
	if err != nil || len(written.UnprocessedItems["counters"]) != 2 {
		t.Fatalf("unprocessed are %v, %v", written.UnprocessedItems, err)
	}
	read, err := c.db.BatchGetItem(t.Context(),
		&dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{"counters": {Keys: keys}}})
	if err != nil || len(read.Responses["counters"]) != 1 || len(read.UnprocessedKeys["counters"].Keys) != 2 {
		t.Errorf("read are %v, unprocessed %v, %v", read.Responses, read.UnprocessedKeys, err)
	}
	again, err := c.db.BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{RequestItems: written.UnprocessedItems})
	if err != nil || len(again.UnprocessedItems) != 0 {
		t.Errorf("then unprocessed are %v, %v", again, err)
	}
}

// A rule for a table matches requests that name the table by its ARN. Unprocessed requests are returned under the name
// that was sent, so that the next request can be made of them (API reference, BatchWriteItem, UnprocessedItems).
func TestFaultsOfATableApplyToItsARN(t *testing.T) {
	t.Parallel()
	const arn = "arn:aws:dynamodb:us-east-1:000000000000:table/counters"
	c := newCounter(t, emulator.WithFaults(
		emulator.Fault{Do: emulator.DoThrottle, Operations: []string{"GetItem"}, Tables: []string{"counters"}},
		emulator.Fault{Do: emulator.DoUnprocessed, Operations: []string{"Batch*"}, Tables: []string{"counters"}, Members: 1}))
	if _, err := c.db.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String(arn),
		Key: counterKey("a")}); code(err) != "ThrottlingException" {
		t.Errorf("GetItem: %v", err)
	}
	written, err := c.db.BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{
		RequestItems: map[string][]types.WriteRequest{arn: {{PutRequest: &types.PutRequest{Item: counterKey("a")}}}}})
	if err != nil || len(written.UnprocessedItems[arn]) != 1 {
		t.Errorf("unprocessed items are %v, %v", written, err)
	}
	read, err := c.db.BatchGetItem(t.Context(), &dynamodb.BatchGetItemInput{
		RequestItems: map[string]types.KeysAndAttributes{arn: {Keys: []map[string]types.AttributeValue{counterKey("a")}}}})
	if err != nil || len(read.UnprocessedKeys[arn].Keys) != 1 || len(read.Responses) != 1 {
		t.Errorf("unprocessed keys are %v, %v", read, err)
	}
}

func TestFaultsOfAPartitionKeyApplyToQueries(t *testing.T) {
	t.Parallel()
	c := newCounter(t, emulator.WithFaults(emulator.Fault{Do: emulator.DoThrottle, Operations: []string{"Query"},
		PartitionKey: "a"}))
	for id, want := range map[string]string{"a": "ThrottlingException", "b": "<nil>"} {
		_, err := c.db.Query(t.Context(), &dynamodb.QueryInput{TableName: aws.String("counters"),
			KeyConditionExpression:    aws.String("id = :id"),
			ExpressionAttributeValues: map[string]types.AttributeValue{":id": &types.AttributeValueMemberS{Value: id}}})
		if code(err) != want {
			t.Errorf("%s: %v", id, err)
		}
	}
}

func TestInvalidFaultsAreRefused(t *testing.T) {
	t.Parallel()
	if _, err := emulator.Start(emulator.WithFaults(emulator.Fault{Do: "melt"})); err == nil ||
		!strings.Contains(err.Error(), `unknown do "melt": use throttle`) {
		t.Errorf("an unknown action is %v", err)
	}
	file := filepath.Join(t.TempDir(), "faults.yaml")
	if _, err := emulator.ReadFaults(file); err == nil || !strings.Contains(err.Error(), "does not exist") {
		t.Errorf("a file that is not there is %v", err)
	}
	if err := os.WriteFile(file, []byte("faults:\n  - {operations: [PutItem], do: throttle, every: 3}\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	all, err := emulator.ReadFaults(file)
	if err != nil || len(all) != 1 || all[0].Do != emulator.DoThrottle || all[0].Every != 3 {
		t.Errorf("the file is %v, %v", all, err)
	}
}

// TestThrottledByAFault checks the service's exceptions for each way in which a request can be throttled.
func TestThrottledByAFault(t *testing.T) {
	t.Parallel()
	c := newCounter(t)
	makeOrders(t, c.db)
	_, err := c.db.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("provisioned"),
		ProvisionedThroughput: &types.ProvisionedThroughput{ReadCapacityUnits: aws.Int64(5),
			WriteCapacityUnits: aws.Int64(5)},
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("id"),
			AttributeType: types.ScalarAttributeTypeS}},
		KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash}},
	})
	if err != nil {
		t.Fatal(err)
	}
	c.fail(t, emulator.Fault{Do: emulator.DoThrottle})
	_, err = c.db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("provisioned"), Item: counterKey("a")})
	var exceeded *types.ProvisionedThroughputExceededException
	if !errors.As(err, &exceeded) || len(exceeded.ThrottlingReasons) != 1 ||
		aws.ToString(exceeded.ThrottlingReasons[0].Reason) != "TableWriteProvisionedThroughputExceeded" {
		t.Errorf("a write of a provisioned table is %v", err)
	}
	_, err = c.db.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("orders"),
		IndexName: aws.String("by-state")})
	var throttled *types.ThrottlingException
	if !errors.As(err, &throttled) ||
		aws.ToString(throttled.ThrottlingReasons[0].Reason) != "IndexReadKeyRangeThroughputExceeded" ||
		!strings.HasSuffix(aws.ToString(throttled.ThrottlingReasons[0].Resource), "table/orders/index/by-state") {
		t.Errorf("a read of an index is %v", err)
	}
	_, err = c.db.TransactWriteItems(t.Context(), incrementAll("token", "a", "b"))
	if got := reasons(err); len(got) != 2 || !strings.HasPrefix(got[0], "ThrottlingError ") || got[1] != "None " {
		t.Errorf("a transaction is %v, %v", got, err)
	}
	_, err = c.db.TransactGetItems(t.Context(), readAll("a"))
	if got := reasons(err); len(got) != 1 || !strings.HasPrefix(got[0], "ThrottlingError ") {
		t.Errorf("a transaction of reads is %v, %v", got, err)
	}
	if _, err = c.db.ListTables(t.Context(), &dynamodb.ListTablesInput{}); code(err) != "ThrottlingException" {
		t.Errorf("a request about no table is %v", err)
	}
}
