package dynamo

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
)

// TestGetRecordsEndsWhenTheClientDisconnects reads large records of a stream for a client that has disconnected.
func TestGetRecordsEndsWhenTheClientDisconnects(t *testing.T) {
	t.Parallel()
	now := clock.Manual(time.Unix(1000, 0))
	s := openService(t, openMemory(t), now)
	ctx, cancel := context.WithCancel(t.Context())
	ask := func(operations map[string]operation, operation, body string) (string, error) {
		a := requestFor(s.engine.SharedAccount.Load())
		a.Work.Reset(ctx, engine.RequestLimits(nil, nil))
		answer, err := runOperation(s, a, operation, []byte(body), nil)
		return string(answer), err
	}
	must := func(operations map[string]operation, operation, body, pattern string) string {
		answer, err := ask(operations, operation, body)
		found := regexp.MustCompile(pattern).FindStringSubmatch(answer)
		if err != nil || found == nil {
			t.Fatalf("%s: %.300s %v", operation, answer, err)
		}
		return found[len(found)-1]
	}
	arn := must(operations,
		"CreateTable", `{"TableName":"streamed","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],
		"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}}`, `"LatestStreamArn":"([^"]+)"`)
	for i := range 20 { // every shard has some of them
		must(operations, "PutItem", fmt.Sprintf(`{"TableName":"streamed","Item":{"pk":{"S":"%d"},"v":{"S":%q}}}`, i,
			strings.Repeat("x", 100_000)), ``)
	}
	if err := now.Advance(time.Second); err != nil { // a stream is read up to the past
		t.Fatal(err)
	}
	shard := must(streamOperations, "DescribeStream", fmt.Sprintf(`{"StreamArn":%q}`, arn), `"ShardId":"([^"]+)"`)
	at := must(streamOperations, "GetShardIterator",
		fmt.Sprintf(`{"StreamArn":%q,"ShardId":%q,"ShardIteratorType":"TRIM_HORIZON"}`, arn, shard),
		`"ShardIterator":"([^"]+)"`)
	must(streamOperations, "GetRecords", fmt.Sprintf(`{"ShardIterator":%q}`, at), `"NewImage"`)
	cancel()
	if _, err := ask(streamOperations, "GetRecords", fmt.Sprintf(`{"ShardIterator":%q}`, at)); !errors.Is(err,
		context.Canceled) {
		t.Errorf("%v", err)
	}
}
