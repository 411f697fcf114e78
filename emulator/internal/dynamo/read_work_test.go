package dynamo

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
)

// TestItemsReadAreCountedOnce reads a large item by each operation that reads items or records, and compares the budget
// steps with the item's size.
func TestItemsReadAreCountedOnce(t *testing.T) {
	t.Parallel()
	const size = 300_000
	now := clock.Manual(time.Unix(1000, 0))
	s := openService(t, openMemory(t), now)
	steps := func(operation, body, pattern string) (found string, steps int64) {
		t.Helper()
		a := requestFor(s.engine.SharedAccount.Load())
		answer, err := runOperation(s, a, operation, []byte(body), nil)
		match := regexp.MustCompile(pattern).FindSubmatch(answer)
		if err != nil || match == nil {
			t.Fatalf("%s: %.300s %v", operation, answer, err)
		}
		return string(match[len(match)-1]), a.Work.Steps()
	}
	arn, _ := steps("CreateTable", `{"TableName":"read","BillingMode":"PAY_PER_REQUEST",
		"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
		"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}}`, `"LatestStreamArn":"([^"]+)"`)
	steps("PutItem", fmt.Sprintf(`{"TableName":"read","Item":{"pk":{"S":"a"},"v":{"S":%q}}}`, strings.Repeat("x", size)),
		``)
	advance(t, now, time.Second) // a stream is read up to the past
	var records string
	described, _ := steps("DescribeStream", fmt.Sprintf(`{"StreamArn":%q}`, arn), `(?s).*`)
	for _, shard := range regexp.MustCompile(`"ShardId":"([^"]+)"`).FindAllStringSubmatch(described, -1) {
		at, _ := steps("GetShardIterator", fmt.Sprintf(`{"StreamArn":%q,"ShardId":%q,"ShardIteratorType":"TRIM_HORIZON"}`,
			arn, shard[1]),
			`"ShardIterator":"([^"]+)"`)
		records = fmt.Sprintf(`{"ShardIterator":%q}`, at) // every shard is read from one log
	}
	for operation, body := range map[string]string{
		"BatchGetItem":     `{"RequestItems":{"read":{"Keys":[{"pk":{"S":"a"}}]}}}`,
		"TransactGetItems": `{"TransactItems":[{"Get":{"TableName":"read","Key":{"pk":{"S":"a"}}}}]}`,
		"Scan":             `{"TableName":"read"}`,
		"GetRecords":       records,
	} {
		const once = size / engine.ItemBytesPerStep
		if _, counted := steps(operation, body, ``); counted < once || counted > once+once/2 {
			t.Errorf("%s counts %d steps, want about %d", operation, counted, once)
		}
	}
}
