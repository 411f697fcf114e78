package dynamo

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestPageEndsAtOneMegabyte checks that the item with which a page reaches 1 MB is its last one, that items count
// whether or not they pass the filter, and that the cost is computed in the same way.
func TestPageEndsAtOneMegabyte(t *testing.T) {
	t.Parallel()
	service := newService(t)
	mustAsk(t, service, "CreateTable", `{"TableName":"table","BillingMode":"PAY_PER_REQUEST",
		"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"}],
		"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}]}`)
	const size = 256 << 10 // item size: four items are exactly a page
	for i := range 5 {
		pad := strings.Repeat("x", size-len("pk")-len("p")-len("sk")-2-len("pad"))
		mustAsk(t, service, "PutItem",
			fmt.Sprintf(`{"TableName":"table","Item":{"pk":{"S":"p"},"sk":{"N":"%d"},"pad":{"S":"%s"}}}`, i+1, pad))
	}
	for _, c := range []struct {
		operation, members, last string
		count, scanned           int
		units                    float64
	}{
		{"Scan", ``, `{"pk":{"S":"p"},"sk":{"N":"4"}}`, 4, 4, 128},
		{"Scan", `,"ConsistentRead":true,"Select":"COUNT"`, `{"pk":{"S":"p"},"sk":{"N":"4"}}`, 4, 4, 256},
		{"Scan", `,"FilterExpression":"attribute_exists(nothing)"`, `{"pk":{"S":"p"},"sk":{"N":"4"}}`, 0, 4, 128},
		{"Scan", `,"ExclusiveStartKey":{"pk":{"S":"p"},"sk":{"N":"4"}}`, ``, 1, 1, 32},
		{"Query", `,"ScanIndexForward":false,"KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"p"}}`,
			`{"pk":{"S":"p"},"sk":{"N":"2"}}`, 4, 4, 128},
	} {
		var answer struct {
			pageAnswer
			ConsumedCapacity struct{ CapacityUnits float64 }
		}
		text := mustAsk(t, service, c.operation, `{"TableName":"table","ReturnConsumedCapacity":"TOTAL"`+c.members+`}`)
		if err := json.Unmarshal(text, &answer); err != nil {
			t.Fatal(err)
		}
		if string(answer.LastEvaluatedKey) != c.last || answer.Count != c.count || answer.ScannedCount != c.scanned ||
			answer.ConsumedCapacity.CapacityUnits != c.units {
			t.Errorf("%s%s: %d of %d items, %v units, ends at %s", c.operation, c.members,
				answer.Count, answer.ScannedCount, answer.ConsumedCapacity.CapacityUnits, answer.LastEvaluatedKey)
		}
	}
}
