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

// kilobytes returns a text of a size.
func kilobytes(n int) string { return strings.Repeat("x", n<<10) }

func TestHotKey(t *testing.T) {
	t.Parallel()
	const problem = `partition key "a" takes up to 1,053 write units a second, in 3 seconds more than the 1,000 of a partition`
	f := wantFindingOver(t, "hot-key", "events", problem, func(t *testing.T, db *dynamodb.Client, e *emulator.Emulator) {
		newTable(t, db, "events", "device", "time")
		for second := range 3 {
			for i := range 3 {
				put(t, db, "events", map[string]string{"device": "a", "time": fmt.Sprint(second, i), "data": kilobytes(350)})
			}
			advance(t, e, time.Second)
		}
		if _, err := db.DeleteTable(t.Context(), &dynamodb.DeleteTableInput{TableName: aws.String("events")}); err != nil {
			t.Fatal(err)
		}
	})
	if want := `append a suffix to device, chosen at random`; !strings.Contains(f.Remedy, want) {
		t.Errorf("the remedy lacks %q: %s", want, f.Remedy)
	}
}

func TestHotKeyOfReads(t *testing.T) {
	t.Parallel()
	const problem = `partition key "a" takes up to 3,150 read units a second, in 3 seconds more than the 3,000 of a partition`
	wantFindingOver(t, "hot-key", "events", problem, func(t *testing.T, db *dynamodb.Client, e *emulator.Emulator) {
		newTable(t, db, "events", "device")
		put(t, db, "events", map[string]string{"device": "a", "data": kilobytes(358)})
		for range 3 {
			for range 35 {
				get(t, db, "events", "device", "a")
			}
			advance(t, e, time.Second)
		}
	})
}

func TestHotKeyOfAnIndex(t *testing.T) {
	t.Parallel()
	const problem = `partition key "open" takes up to 1,053 write units a second, in 3 seconds more than the 1,000 of a partition`
	wantFindingOver(t, "hot-key", "orders, index by-status", problem, func(t *testing.T, db *dynamodb.Client,
		e *emulator.Emulator) {
		newIndexedTable(t, db, "orders", "id", "status", types.Projection{ProjectionType: types.ProjectionTypeAll}, nil)
		for second := range 3 {
			for i := range 3 {
				put(t, db, "orders", map[string]string{"id": fmt.Sprint(second, i), "status": "open", "data": kilobytes(350)})
			}
			advance(t, e, time.Second)
		}
	})
}

func TestHotKeyLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	write := func(seconds, each int, device func(i int) string) func(*testing.T, *dynamodb.Client, *emulator.Emulator) {
		return func(t *testing.T, db *dynamodb.Client, e *emulator.Emulator) {
			newTable(t, db, "events", "device", "time")
			for second := range seconds {
				for i := range each {
					put(t, db, "events", map[string]string{"device": device(i), "time": fmt.Sprint(second, i), "data": kilobytes(350)})
				}
				advance(t, e, time.Second)
			}
		}
	}
	one := func(int) string { return "a" }
	cases := map[string]func(*testing.T, *dynamodb.Client, *emulator.Emulator){
		"a load of two seconds": write(2, 3, one),
		"below the limit":       write(5, 2, one),
		"many keys":             write(4, 4, func(i int) string { return fmt.Sprint(i) }),
	}
	for name, program := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantNothingOver(t, "hot-key", program)
		})
	}
}

// get reads an item with strong consistency.
func get(t *testing.T, db *dynamodb.Client, table, attribute, value string) {
	t.Helper()
	in := &dynamodb.GetItemInput{TableName: aws.String(table), ConsistentRead: aws.Bool(true),
		Key: map[string]types.AttributeValue{attribute: &types.AttributeValueMemberS{Value: value}}}
	if _, err := db.GetItem(t.Context(), in); err != nil {
		t.Fatal(err)
	}
}
