package dynamo

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/faults"
)

// collected is a table with a local secondary index.
const collected = `{"TableName":"collected","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[
	{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"S"}],
	"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
	"LocalSecondaryIndexes":[{"IndexName":"again","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},
		{"AttributeName":"sk","KeyType":"RANGE"}],"Projection":{"ProjectionType":"KEYS_ONLY"}}]}`

// collectedPut puts an item of a collection.
func collectedPut(pk string, sk int) string {
	return fmt.Sprintf(`{"PutRequest":{"Item":{"pk":{"S":%q},"sk":{"S":"%d"}}}}`, pk, sk)
}

// collectedPuts puts the items from one number to another into a collection.
func collectedPuts(pk string, from, to int) string {
	var puts []string
	for i := from; i < to; i++ {
		puts = append(puts, collectedPut(pk, i))
	}
	return `{"RequestItems":{"collected":[` + strings.Join(puts, ",") + `]},"ReturnItemCollectionMetrics":"SIZE"}`
}

// TestCollectionMetricsUseTheStepBudget writes into item collections and asks for their sizes: a request counts each
// once, and a budget that ends does not fail the write.
func TestCollectionMetricsUseTheStepBudget(t *testing.T) {
	t.Parallel()
	s := openService(t, openMemory(t), clock.Manual(time.Unix(1000, 0)))
	defer s.Close()
	mustRun(t, s, "CreateTable", collected)
	const batches, batch = 20, 25
	for i := range batches {
		mustRun(t, s, "BatchWriteItem", collectedPuts("a", i*batch, (i+1)*batch))
	}
	for _, c := range []struct {
		limit       int64
		least, most int64
	}{{0, 2 * batches * batch, 3 * batches * batch}, {100, 100, 200}} {
		a := requestFor(s.engine.SharedAccount.Load())
		a.Work.Reset(t.Context(), budget.Limits{Steps: c.limit})
		answer, err := runOperation(s, a, "BatchWriteItem", []byte(collectedPuts("a", 0, batch)), nil)
		if n := strings.Count(string(answer), "SizeEstimateRangeGB"); err != nil || n != batch {
			t.Errorf("with a limit of %d steps the batch says %s, %v", c.limit, answer, err)
		}
		if steps := a.Work.Steps(); steps < c.least || steps > c.most {
			t.Errorf("with a limit of %d steps the batch takes %d", c.limit, steps)
		}
	}
}

// TestOnlyWrittenCollectionsHaveMetrics leaves the collections of checked items, and of unprocessed requests, out.
func TestOnlyWrittenCollectionsHaveMetrics(t *testing.T) {
	t.Parallel()
	s := openService(t, openMemory(t), clock.Manual(time.Unix(1000, 0)))
	defer s.Close()
	mustRun(t, s, "CreateTable", collected)
	wantMetrics := func(operation, body string, unprocessed []bool, want string) {
		t.Helper()
		a := requestFor(s.engine.SharedAccount.Load())
		a.Verdict = &faults.Effect{Unprocessed: unprocessed}
		answer, err := runOperation(s, a, operation, []byte(body), nil)
		if err != nil || !strings.Contains(string(answer), `"ItemCollectionMetrics":{"collected":[{"ItemCollectionKey":{"pk":{"S":"`+want+
			`"}},"SizeEstimateRangeGB":[0.0,1.0]}]}`) {
			t.Errorf("%s: %s %v", operation, answer, err)
		}
	}
	wantMetrics("TransactWriteItems", `{"TransactItems":[
		{"ConditionCheck":{"TableName":"collected","Key":{"pk":{"S":"a"},"sk":{"S":"0"}},
			"ConditionExpression":"attribute_not_exists(pk)"}},
		{"Put":{"TableName":"collected","Item":{"pk":{"S":"b"},"sk":{"S":"0"}}}}],
		"ReturnItemCollectionMetrics":"SIZE"}`, nil, "b")
	wantMetrics("BatchWriteItem", `{"RequestItems":{"collected":[`+collectedPut("a", 0)+","+collectedPut("b", 0)+`]},
		"ReturnItemCollectionMetrics":"SIZE"}`, []bool{true, false}, "b")
}
