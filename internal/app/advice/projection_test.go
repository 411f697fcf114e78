package advice

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
)

// ordersWith makes orders with an index by status with a projection, and puts 40 orders of a size in KB.
func ordersWith(t *testing.T, db *dynamodb.Client, p types.Projection, size int) {
	t.Helper()
	newIndexedTable(t, db, "orders", "id", "status", p, nil)
	for i := range 40 {
		put(t, db, "orders", map[string]string{"id": fmt.Sprint(i), "status": fmt.Sprint(i % 20), "customer": "Ann",
			"text": kilobytes(size)})
	}
}

var (
	wholeItems = types.Projection{ProjectionType: types.ProjectionTypeAll}
	onlyKeys   = types.Projection{ProjectionType: types.ProjectionTypeKeysOnly}
)

func TestProjectionTooWide(t *testing.T) {
	t.Parallel()
	const problem = "each of 20 queries asks for a few attributes of the index, which has all: its writes would cost 75 % less " +
		"with these alone"
	f := wantFindingOver(t, "projection-too-wide", "orders, index by-status", problem,
		func(t *testing.T, db *dynamodb.Client, _ *emulator.Emulator) {
			ordersWith(t, db, wholeItems, 3)
			for i := range 20 {
				query(t, db, "orders", "by-status", "status", fmt.Sprint(i), "id, customer")
			}
		})
	for _, want := range []string{`{"AttributeName":"status","AttributeType":"S"}`, `"NonKeyAttributes":["customer"]`,
		`"IndexName":"by-status-2"`} {
		if !strings.Contains(f.Remedy, want) {
			t.Errorf("the remedy lacks %s: %s", want, f.Remedy)
		}
	}
}

func TestProjectionTooWideLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	program := func(p types.Projection, size int, attributes func(i int) string) func(*testing.T, *dynamodb.Client,
		*emulator.Emulator) {
		return func(t *testing.T, db *dynamodb.Client, _ *emulator.Emulator) {
			ordersWith(t, db, p, size)
			for i := range 20 {
				query(t, db, "orders", "by-status", "status", fmt.Sprint(i), attributes(i))
			}
		}
	}
	cases := map[string]func(*testing.T, *dynamodb.Client, *emulator.Emulator){
		"small items":                   program(wholeItems, 0, always("id, customer")),
		"an index with keys only":       program(onlyKeys, 3, always("id")),
		"one query that asks for all":   program(wholeItems, 3, func(i int) string { return []string{"", "id"}[min(i, 1)] }),
		"a filter by a large attribute": filteredByText,
	}
	for name, program := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantNothingOver(t, "projection-too-wide", program)
		})
	}
}

// filteredByText asks for few attributes, but filters by the large one.
func filteredByText(t *testing.T, db *dynamodb.Client, _ *emulator.Emulator) {
	t.Helper()
	ordersWith(t, db, wholeItems, 3)
	for i := range 20 {
		_, err := db.Query(t.Context(), &dynamodb.QueryInput{TableName: aws.String("orders"),
			IndexName: aws.String("by-status"), KeyConditionExpression: aws.String("#status = :status"),
			FilterExpression: aws.String("contains(#text, :status)"), ProjectionExpression: aws.String("id"),
			ExpressionAttributeNames:  map[string]string{"#status": "status", "#text": "text"},
			ExpressionAttributeValues: item{":status": fmt.Sprint(i)}.attributes()})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// fetching queries the index 20 times, and reads some of the items that it finds, with a consistency.
func fetching(p types.Projection, size int, reads func(i int) bool, consistent bool) func(*testing.T, *dynamodb.Client,
	*emulator.Emulator) {
	return func(t *testing.T, db *dynamodb.Client, _ *emulator.Emulator) {
		ordersWith(t, db, p, size)
		n := 0
		for i := range 20 {
			for _, found := range query(t, db, "orders", "by-status", "status", fmt.Sprint(i), "").Items {
				if n++; !reads(n) {
					continue
				}
				if _, err := db.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("orders"),
					ConsistentRead: aws.Bool(consistent),
					Key:            map[string]types.AttributeValue{"id": found["id"]}}); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

func every(n int) func(int) bool { return func(i int) bool { return i%n == 0 } }

func TestProjectionTooNarrow(t *testing.T) {
	t.Parallel()
	const problem = "40 of the 40 items that 20 queries of the index return are then read from the table"
	f := wantFindingOver(t, "projection-too-narrow", "orders, index by-status", problem,
		fetching(onlyKeys, 0, every(1), false))
	if !strings.Contains(f.Remedy, `"Projection":{"ProjectionType":"ALL"}`) {
		t.Errorf("remedy %s", f.Remedy)
	}
}

func TestProjectionTooNarrowLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	cases := map[string]func(*testing.T, *dynamodb.Client, *emulator.Emulator){
		"an index with whole items":           fetching(wholeItems, 0, every(1), false),
		"half of the items":                   fetching(onlyKeys, 0, every(2), false),
		"strongly consistent reads":           fetching(onlyKeys, 0, every(1), true),
		"items whose entries would cost more": fetching(onlyKeys, 3, every(1), false),
	}
	for name, program := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantNothingOver(t, "projection-too-narrow", program)
		})
	}
}
