package advice

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
)

// units returns provisioned capacity for reads and writes.
func units(n int64) types.ProvisionedThroughput {
	return types.ProvisionedThroughput{ReadCapacityUnits: aws.Int64(n), WriteCapacityUnits: aws.Int64(n)}
}

// provisionedOrders puts orders of 3 KB, a number in each of five minutes, in a table and an index with capacity.
func provisionedOrders(table, index int64, aMinute int, p types.Projection) func(*testing.T, *dynamodb.Client,
	*emulator.Emulator) {
	return func(t *testing.T, db *dynamodb.Client, e *emulator.Emulator) {
		newIndexedTable(t, db, "orders", "id", "status", p, &[2]types.ProvisionedThroughput{units(table), units(index)})
		for minute := range 5 {
			for i := range aMinute {
				put(t, db, "orders", map[string]string{"id": fmt.Sprint(minute, i), "status": fmt.Sprint(i), "text": kilobytes(3)})
			}
			advance(t, e, time.Minute)
		}
	}
}

func TestIndexHoldsBackTable(t *testing.T) {
	t.Parallel()
	const problem = "the index needs up to 2.0 write units a second and has 1, so that DynamoDB throttles the writes of the " +
		"table, which has 10"
	f := wantFindingOver(t, "index-holds-back-table", "orders, index by-status", problem,
		provisionedOrders(10, 1, 30, wholeItems))
	if want := `"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":10}`; !strings.Contains(f.Remedy, want) {
		t.Errorf("the remedy lacks %s: %s", want, f.Remedy)
	}
}

func TestThrottledIndexHoldsBackTable(t *testing.T) {
	t.Parallel()
	const problem = "3 writes of the table are throttled by the index, which has 1 write units a second; the table has 100"
	wantOne(t, "index-holds-back-table", "orders, index by-status", problem, func(p program) {
		capacity := [2]types.ProvisionedThroughput{units(100), units(1)}
		newIndexedTable(t, p.Client, "orders", "id", "status", wholeItems, &capacity)
		for throttled, i := 0, 0; throttled < 3; i++ {
			_, err := p.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("orders"),
				Item: item{"id": fmt.Sprint(i), "status": fmt.Sprint(i), "text": kilobytes(20)}.attributes()},
				func(o *dynamodb.Options) { o.RetryMaxAttempts = 1 })
			if err != nil {
				throttled++
			}
		}
	}, standstill, emulator.WithLikeCloud(emulator.Throttling))
}

func TestIndexHoldsBackTableLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	cases := map[string]func(*testing.T, *dynamodb.Client, *emulator.Emulator){
		"enough capacity":                 provisionedOrders(10, 10, 30, wholeItems),
		"less than the table, but enough": provisionedOrders(10, 1, 30, onlyKeys),
		"a table that lacks capacity":     provisionedOrders(1, 1, 30, wholeItems),
		"on demand": func(t *testing.T, db *dynamodb.Client, e *emulator.Emulator) {
			ordersWith(t, db, wholeItems, 100)
			advance(t, e, time.Minute)
		},
		"a busy minute": func(t *testing.T, db *dynamodb.Client, e *emulator.Emulator) {
			provisionedOrders(1000, 10, 1, wholeItems)(t, db, e)
			for i := range 200 {
				put(t, db, "orders", map[string]string{"id": fmt.Sprint("b", i), "status": "open", "text": kilobytes(9)})
			}
		},
	}
	for name, program := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantNothingOver(t, "index-holds-back-table", program)
		})
	}
}
