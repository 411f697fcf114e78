package emulator_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/invariants"
)

// exploredVariable makes TestExplored explore a program of explored, in a process that another test starts.
const exploredVariable = "TABLETOP_TEST_EXPLORED"

// TestExplored explores one of the programs. It is skipped unless another test starts it: most of them are broken.
func TestExplored(t *testing.T) {
	name := os.Getenv(exploredVariable)
	if name == runsPlain {
		runPlain(t)
		return
	}
	program, ok := explored[name]
	if !ok {
		t.Skip("explored by other tests")
	}
	opts := []emulator.ExploreOption{emulator.ExploreRuns(250), emulator.ExploreFor(0),
		emulator.ExploreLimit(time.Minute)}
	switch name {
	case "waits after a retry":
		opts = append(opts, emulator.ExploreLimit(5*time.Second))
	case "leaves no memory", "writes ten":
		opts = append(opts, emulator.ExploreRuns(lastMeasure+10))
	case "keeps an iterator": // the order of shards depends on when they begin
		start := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
		opts = append(opts, emulator.ExploreWith(emulator.WithManualClock(start)))
	case "never reads":
		opts = append(opts, emulator.ExploreCheck(countedOnce))
	}
	emulator.Explore(t, program, opts...)
}

// exploresTwice is the value of exploredVariable that does not skip TestExploredTwice.
const exploresTwice = "explores twice"

// TestExploredTwice explores two programs, of which the first is broken.
func TestExploredTwice(t *testing.T) {
	if os.Getenv(exploredVariable) != exploresTwice {
		t.Skip("explored by other tests")
	}
	emulator.Explore(t, countsWithADD, emulator.ExploreRuns(15), emulator.ExploreFor(0))
	emulator.Explore(t, countsWithACondition, emulator.ExploreRuns(15), emulator.ExploreFor(0))
}

// explored are small programs, most with one bug that a run without mishaps does not show.
var explored = map[string]func(*testing.T, *emulator.Emulator){
	"counts with ADD":          countsWithADD,
	"counts with a condition":  countsWithACondition,
	"never reads":              neverReads,
	"ignores UnprocessedItems": ignoresUnprocessedItems,
	"ignores LastEvaluatedKey": ignoresLastEvaluatedKey,
	"reads a replica":          readsAReplica,
	"does not retry":           doesNotRetry,
	"falls back":               fallsBackUnguarded,
	"creates a Cosmos item":    createsCosmosItem,
	"panics after a retry":     panicsAfterRetry,
	"exits after a retry":      exitsAfterRetry,
	"names its process":        namesItsProcess,
	"waits after a retry":      waitsAfterRetry,
	"fails":                    func(t *testing.T, e *emulator.Emulator) { put(t, client(e), "missing", text("id", "a")) },
	"asks nothing":             func(*testing.T, *emulator.Emulator) {},
	"has parallel subtests":    hasParallelSubtests,
	"keeps an iterator":        keepsAnIterator,
	"keeps a connection":       keepsAConnection,
	"leaves no memory":         leavesNoMemory,
	"writes ten":               writesTen,
}

// runsPlain is the value of exploredVariable that makes TestExplored run a program as often as it explores it, without
// Explore.
const runsPlain = "runs plain"

// runPlain logs how long the runs take, in the words of Explore.
func runPlain(t *testing.T) {
	const n = 1000
	began := time.Now()
	for range n {
		t.Run("run", func(t *testing.T) { writesTen(t, emulator.Run(t)) })
	}
	t.Logf("%d runs in %s", n, time.Since(began))
}

// addOne is an update that adds one.
func addOne(id string) *dynamodb.UpdateItemInput {
	return &dynamodb.UpdateItemInput{TableName: aws.String("counters"), Key: counterKey(id),
		UpdateExpression:          aws.String("ADD n :one"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":one": &types.AttributeValueMemberN{Value: "1"}}}
}

// wantCount checks a counter.
func wantCount(t *testing.T, db *dynamodb.Client, id string, want int) {
	t.Helper()
	out, err := db.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("counters"), Key: counterKey(id),
		ConsistentRead: aws.Bool(true)})
	if err != nil {
		t.Fatal(err)
	}
	got := "missing"
	if n, ok := out.Item["n"].(*types.AttributeValueMemberN); ok {
		got = n.Value
	}
	if got != strconv.Itoa(want) {
		t.Errorf("the counter is %s, want %d", got, want)
	}
}

func countsWithADD(t *testing.T, e *emulator.Emulator) {
	db := client(e)
	newTable(db, "counters")
	if _, err := db.UpdateItem(t.Context(), addOne("a")); err != nil {
		t.Fatal(err)
	}
	wantCount(t, db, "a", 1)
}

// neverReads notices nothing of what countedOnce finds.
func neverReads(t *testing.T, e *emulator.Emulator) {
	db := client(e)
	newTable(db, "counters")
	if _, err := db.UpdateItem(t.Context(), addOne("a")); err != nil {
		t.Fatal(err)
	}
}

// countedOnce is a check of invariants after a run.
func countedOnce(ctx context.Context, e *emulator.Emulator) error {
	set, err := invariants.Parse("i.yaml", []byte("invariants: [{name: nothing is counted twice, table: counters, each: n <= 1}]"))
	if err != nil {
		return err
	}
	return set.Holds(ctx, invariants.Databases{DynamoDB: client(e)})
}

// countsWithACondition counts an event once, by a marker that it writes in the same transaction, and tries again when
// others use the items.
func countsWithACondition(t *testing.T, e *emulator.Emulator) {
	db := client(e)
	newTable(db, "counters")
	if err := countInTransaction(t, db, types.TransactWriteItem{Put: &types.Put{TableName: aws.String("counters"),
		Item: counterKey("event 1"), ConditionExpression: aws.String("attribute_not_exists(id)")}}); err != nil {
		t.Fatal(err)
	}
	wantCount(t, db, "a", 1)
}

// countInTransaction adds one in a transaction, and repeats it as long as it is cancelled for a passing reason.
func countInTransaction(t *testing.T, db *dynamodb.Client, others ...types.TransactWriteItem) error {
	t.Helper()
	for {
		_, err := db.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{
			TransactItems: append(updates(addOne("a")), others...)})
		if !isCanceledFor(err, "TransactionConflict") && !isCanceledFor(err, "ThrottlingError") {
			return err
		}
	}
}

// updates returns an update as the only part of a transaction.
func updates(in *dynamodb.UpdateItemInput) []types.TransactWriteItem {
	return []types.TransactWriteItem{{Update: &types.Update{TableName: in.TableName, Key: in.Key,
		UpdateExpression: in.UpdateExpression, ExpressionAttributeValues: in.ExpressionAttributeValues}}}
}

// isCanceledFor reports whether a transaction was cancelled, and a reason has a code.
func isCanceledFor(err error, code string) bool {
	canceled := new(types.TransactionCanceledException)
	return errors.As(err, &canceled) && slices.ContainsFunc(canceled.CancellationReasons,
		func(r types.CancellationReason) bool { return aws.ToString(r.Code) == code })
}

func ignoresUnprocessedItems(t *testing.T, e *emulator.Emulator) {
	db := client(e)
	newTable(db, "counters")
	var requests []types.WriteRequest
	for _, id := range []string{"a", "b", "c"} {
		requests = append(requests, types.WriteRequest{PutRequest: &types.PutRequest{Item: counterKey(id)}})
	}
	if _, err := db.BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{
		RequestItems: map[string][]types.WriteRequest{"counters": requests}}); err != nil {
		t.Fatal(err)
	}
	if n := scanned(t, db, "counters"); n != 3 {
		t.Errorf("%d items, want 3", n)
	}
}

func ignoresLastEvaluatedKey(t *testing.T, e *emulator.Emulator) {
	db := client(e)
	newTable(db, "counters")
	for _, id := range []string{"a", "b"} {
		put(t, db, "counters", text("id", id))
	}
	page, err := db.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("counters"),
		ConsistentRead: aws.Bool(true)})
	if err != nil {
		t.Fatal(err)
	}
	if len(page.Items) != 2 {
		t.Errorf("%d items, want 2", len(page.Items))
	}
}

func readsAReplica(t *testing.T, e *emulator.Emulator) {
	db := client(e)
	newTable(db, "counters")
	put(t, db, "counters", text("id", "a"))
	out, err := db.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("counters"), Key: counterKey("a")})
	if err != nil || out.Item == nil {
		t.Errorf("the item is %v (%v)", out.Item, err)
	}
}

func doesNotRetry(t *testing.T, e *emulator.Emulator) {
	db := dynamodb.NewFromConfig(e.AWSConfig(), func(o *dynamodb.Options) { o.Retryer = aws.NopRetryer{} })
	newTable(db, "counters")
	put(t, db, "counters", text("id", "a"))
}

// fallsBackUnguarded counts in a transaction with a token, and after a conflict with a plain update: only a conflict
// and a lost response together count twice.
func fallsBackUnguarded(t *testing.T, e *emulator.Emulator) {
	db := client(e)
	newTable(db, "counters")
	in := addOne("a")
	_, err := db.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{TransactItems: updates(in)})
	if isCanceledFor(err, "TransactionConflict") {
		_, err = db.UpdateItem(t.Context(), in)
	}
	if err != nil {
		t.Fatal(err)
	}
	wantCount(t, db, "a", 1)
}

// createsCosmosItem uses the SDK, which sends no write again: every mishap is an error that the program must handle.
func createsCosmosItem(t *testing.T, e *emulator.Emulator) {
	orders := makeContainer(t, e, nil)
	if _, err := orders.CreateItem(t.Context(), azcosmos.NewPartitionKeyString("a"), []byte(`{"id":"1","pk":"a"}`),
		nil); err != nil {
		t.Errorf("the order cannot be placed: %v", err)
	}
}

// retried reports whether a write was sent more than once.
func retried(t *testing.T, e *emulator.Emulator) bool {
	t.Helper()
	db := client(e)
	newTable(db, "counters")
	in := &dynamodb.PutItemInput{TableName: aws.String("counters"), Item: counterKey("a"),
		ConditionExpression: aws.String("attribute_not_exists(id)")}
	_, err := db.PutItem(t.Context(), in)
	exists := new(types.ConditionalCheckFailedException)
	return errors.As(err, &exists)
}

func panicsAfterRetry(t *testing.T, e *emulator.Emulator) {
	if retried(t, e) {
		panic("the item exists")
	}
}

func exitsAfterRetry(t *testing.T, e *emulator.Emulator) {
	if retried(t, e) {
		os.Exit(3)
	}
}

func waitsAfterRetry(t *testing.T, e *emulator.Emulator) {
	if retried(t, e) {
		<-t.Context().Done()
	}
}

// processVariable names the file that namesItsProcess writes.
const processVariable = "TABLETOP_TEST_PROCESS"

// namesItsProcess writes its process id to a file, and waits for ever.
func namesItsProcess(t *testing.T, e *emulator.Emulator) {
	if !retried(t, e) {
		return
	}
	file := os.Getenv(processVariable)
	if err := os.WriteFile(file+".new", []byte(strconv.Itoa(os.Getpid())), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(file+".new", file); err != nil {
		t.Fatal(err)
	}
	select {}
}

func hasParallelSubtests(t *testing.T, e *emulator.Emulator) {
	db := client(e)
	newTable(db, "counters")
	for _, id := range []string{"a", "b"} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			if _, err := db.UpdateItem(t.Context(), addOne(id)); err != nil {
				t.Fatal(err)
			}
			wantCount(t, db, id, 1)
		})
	}
}

// keepsAnIterator reads a stream, and does not expect that its iterator expires or that records come twice.
func keepsAnIterator(t *testing.T, e *emulator.Emulator) {
	db, streams, arn := followedTable(t, e.AWSConfig())
	ids := []string{"a", "b", "c", "d", "e", "f"} // in all shards
	for _, id := range ids {
		put(t, db, "followed", text("pk", id))
	}
	stream, err := streams.DescribeStream(t.Context(), &dynamodbstreams.DescribeStreamInput{StreamArn: arn})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, shard := range stream.StreamDescription.Shards {
		at, err := streams.GetShardIterator(t.Context(), &dynamodbstreams.GetShardIteratorInput{StreamArn: arn,
			ShardId: shard.ShardId, ShardIteratorType: streamtypes.ShardIteratorTypeTrimHorizon})
		if err != nil {
			t.Fatal(err)
		}
		n += readThrice(t, streams, at.ShardIterator)
	}
	if n != len(ids) {
		t.Errorf("%d records, want %d", n, len(ids))
	}
}

// keepsAConnection reads on a connection of its own, on which it sends refused requests again, but which it does not
// open again: only a restart, after a write on another connection, cuts it.
func keepsAConnection(t *testing.T, e *emulator.Emulator) {
	db := client(e)
	newTable(db, "counters")
	reader := dialOnce(t, e)
	if err := reader.count(t); err != nil {
		t.Fatal(err)
	}
	put(t, db, "counters", text("id", "a"))
	if err := reader.count(t); err != nil {
		t.Errorf("the items cannot be counted: %v", err)
	}
}
