package advice

import (
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
)

// putLog puts items with the sort keys that sort returns, in 15 minutes.
func putLog(t *testing.T, db *dynamodb.Client, e *emulator.Emulator, n int, partition, sort func(i int) string) {
	t.Helper()
	for i := range n {
		put(t, db, "log", map[string]string{"source": partition(i), "time": sort(i)})
		if i%(n/15) == 0 {
			advance(t, e, time.Minute)
		}
	}
}

func always(text string) func(int) string { return func(int) string { return text } }

func inOrder(i int) string { return fmt.Sprintf("%05d", i) }

func TestGrowingCollection(t *testing.T) {
	t.Parallel()
	const problem = `600 of 600 new items go to partition key "all", with ever larger sort keys; none is deleted and none expires`
	wantFindingOver(t, "growing-collection", "log", problem, func(t *testing.T, db *dynamodb.Client,
		e *emulator.Emulator) {
		newTable(t, db, "log", "source", "time")
		putLog(t, db, e, 600, always("all"), inOrder)
	})
}

func TestGrowingCollectionWithALocalIndex(t *testing.T) {
	t.Parallel()
	const problem = `partition key "all" gets ever larger sort keys, 600 in the recording, and loses none: writes fail when it ` +
		`has 10 GB, after 90 days at this rate, because the table has a local index`
	wantFindingOver(t, "growing-collection", "log", problem, func(t *testing.T, db *dynamodb.Client,
		e *emulator.Emulator) {
		newLocallyIndexedTable(t, db)
		for i := range 600 {
			put(t, db, "log", map[string]string{"source": "all", "time": inOrder(i), "data": kilobytes(2)})
			if i%40 == 0 {
				advance(t, e, time.Minute)
			}
		}
	})
}

// newLocallyIndexedTable makes the table log with a local index by level.
func newLocallyIndexedTable(t *testing.T, db *dynamodb.Client) {
	t.Helper()
	key := func(sort string) []types.KeySchemaElement {
		return []types.KeySchemaElement{{AttributeName: aws.String("source"), KeyType: types.KeyTypeHash},
			{AttributeName: aws.String(sort), KeyType: types.KeyTypeRange}}
	}
	in := &dynamodb.CreateTableInput{TableName: aws.String("log"), BillingMode: types.BillingModePayPerRequest,
		KeySchema: key("time"), LocalSecondaryIndexes: []types.LocalSecondaryIndex{{IndexName: aws.String("by-level"),
			KeySchema: key("level"), Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll}}}}
	for _, attribute := range []string{"source", "time", "level"} {
		in.AttributeDefinitions = append(in.AttributeDefinitions, types.AttributeDefinition{
			AttributeName: aws.String(attribute), AttributeType: types.ScalarAttributeTypeS})
	}
	if _, err := db.CreateTable(t.Context(), in); err != nil {
		t.Fatal(err)
	}
}

func TestGrowingCollectionLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	program := func(n int, partition, sort func(int) string,
		then func(*testing.T, *dynamodb.Client)) func(*testing.T, *dynamodb.Client, *emulator.Emulator) {
		return func(t *testing.T, db *dynamodb.Client, e *emulator.Emulator) {
			newTable(t, db, "log", "source", "time")
			putLog(t, db, e, n, partition, sort)
			then(t, db)
		}
	}
	cases := map[string]func(*testing.T, *dynamodb.Client, *emulator.Emulator){
		"many collections": program(1500, func(i int) string { return fmt.Sprint(i % 3) }, inOrder, nothingMore),
		"few items":        program(100, always("all"), inOrder, nothingMore),
		"no order":         program(600, always("all"), func(i int) string { return inOrder(i * 7919 % 600) }, nothingMore),
		"the same items":   program(600, always("all"), func(i int) string { return inOrder(i % 10) }, nothingMore),
		"time to live": program(600, always("all"), inOrder, func(t *testing.T, db *dynamodb.Client) {
			if _, err := db.UpdateTimeToLive(t.Context(), &dynamodb.UpdateTimeToLiveInput{TableName: aws.String("log"),
				TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String("expires"),
					Enabled: aws.Bool(true)}}); err != nil {
				t.Fatal(err)
			}
		}),
		"deletions": program(600, always("all"), inOrder, func(t *testing.T, db *dynamodb.Client) {
			if _, err := db.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: aws.String("log"),
				Key: map[string]types.AttributeValue{"source": &types.AttributeValueMemberS{Value: "all"},
					"time": &types.AttributeValueMemberS{Value: "00001"}}}); err != nil {
				t.Fatal(err)
			}
		}),
		"a load at the start": func(t *testing.T, db *dynamodb.Client, e *emulator.Emulator) {
			newTable(t, db, "log", "source", "time")
			for i := range 600 {
				put(t, db, "log", map[string]string{"source": "all", "time": inOrder(i)})
			}
			advance(t, e, time.Hour)
			put(t, db, "log", map[string]string{"source": "other", "time": "1"})
		},
	}
	for name, program := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantNothingOver(t, "growing-collection", program)
		})
	}
}
