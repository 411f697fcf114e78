package emulator_test

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"github.com/tabletop-db/tabletop/emulator"
)

func TestAWriteConflictsByAFault(t *testing.T) {
	t.Parallel()
	c := newCounter(t)
	c.fail(t, emulator.Fault{Do: emulator.DoConflict, Operations: []string{"PutItem"}, Times: 1})
	one := &dynamodb.PutItemInput{TableName: aws.String("counters"), Item: counterKey("a")}
	_, err := c.db.PutItem(t.Context(), one)
	if conflict := new(types.TransactionConflictException); !errors.As(err, &conflict) {
		t.Errorf("the first write: %v, want TransactionConflictException", err)
	}
	if _, err := c.db.PutItem(t.Context(), one); err != nil {
		t.Errorf("the second write: %v", err)
	}
}

func TestATransactionConflictsByAFault(t *testing.T) {
	t.Parallel()
	c := newCounter(t)
	c.fail(t, emulator.Fault{Do: emulator.DoConflict, Operations: []string{"Transact*"}, Times: 1})
	put := func(id string) types.TransactWriteItem {
		return types.TransactWriteItem{Put: &types.Put{TableName: aws.String("counters"), Item: counterKey(id)}}
	}
	_, err := c.db.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{
		TransactItems: []types.TransactWriteItem{put("a"), put("b")}})
	canceled := new(types.TransactionCanceledException)
	if !errors.As(err, &canceled) {
		t.Fatalf("%v, want TransactionCanceledException", err)
	}
	var codes []string
	for _, r := range canceled.CancellationReasons {
		codes = append(codes, aws.ToString(r.Code))
	}
	if len(codes) != 2 || codes[0] != "TransactionConflict" || codes[1] != "None" {
		t.Errorf("reasons %v, want TransactionConflict and None", codes)
	}
	if n := scanned(t, c.db, "counters"); n != 0 {
		t.Errorf("%d items, want none", n)
	}
}

// scanned returns the number of items that a scan of all pages finds.
func scanned(t *testing.T, db *dynamodb.Client, table string) (n int) {
	t.Helper()
	pages := dynamodb.NewScanPaginator(db, &dynamodb.ScanInput{TableName: &table, ConsistentRead: aws.Bool(true)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		n += len(page.Items)
	}
	return n
}

func TestAShortPageLosesNoItems(t *testing.T) {
	t.Parallel()
	c := newCounter(t)
	for _, id := range []string{"a", "b", "c"} {
		if _, err := c.db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("counters"),
			Item: counterKey(id)}); err != nil {
			t.Fatal(err)
		}
	}
	c.fail(t, emulator.Fault{Do: emulator.DoShortPage, Times: 2})
	page, err := c.db.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("counters")})
	if err != nil || len(page.Items) != 1 || page.LastEvaluatedKey == nil {
		t.Fatalf("the page has %d items and the key %v (%v), want one item and a key", len(page.Items), page.LastEvaluatedKey,
			err)
	}
	if n := scanned(t, c.db, "counters"); n != 3 {
		t.Errorf("all pages have %d items, want 3", n)
	}
}

func TestStreamRecordsAreDeliveredTwiceByAFault(t *testing.T) {
	t.Parallel()
	e, c, streams, arn := followed(t)
	put(t, c, "followed", text("pk", "a", "v", "1"))
	shards, err := streams.DescribeStream(t.Context(), &dynamodbstreams.DescribeStreamInput{StreamArn: arn})
	if err != nil {
		t.Fatal(err)
	}
	delivered := 0
	for _, shard := range shards.StreamDescription.Shards {
		at, err := streams.GetShardIterator(t.Context(), &dynamodbstreams.GetShardIteratorInput{StreamArn: arn,
			ShardId: shard.ShardId, ShardIteratorType: streamtypes.ShardIteratorTypeTrimHorizon})
		if err != nil {
			t.Fatal(err)
		}
		remove, err := e.Fail(emulator.Fault{Do: emulator.DoRedeliver, Times: 1})
		if err != nil {
			t.Fatal(err)
		}
		delivered += readThrice(t, streams, at.ShardIterator)
		remove()
	}
	if delivered != 2 {
		t.Errorf("the record was delivered %d times, want twice", delivered)
	}
}

// readThrice reads a shard three times, each time from where the read before ended, and counts the records.
func readThrice(t *testing.T, streams *dynamodbstreams.Client, iterator *string) (n int) {
	t.Helper()
	for range 3 {
		out, err := streams.GetRecords(t.Context(), &dynamodbstreams.GetRecordsInput{ShardIterator: iterator})
		if err != nil {
			t.Fatal(err)
		}
		n += len(out.Records)
		iterator = out.NextShardIterator
	}
	return n
}

func TestACosmosWriteConflictsByAFault(t *testing.T) {
	t.Parallel()
	db := emulator.Run(t)
	orders := makeContainer(t, db, nil)
	if _, err := db.Fail(emulator.Fault{Do: emulator.DoConflict, Tables: []string{"orders"}, Times: 1}); err != nil {
		t.Fatal(err)
	}
	key := azcosmos.NewPartitionKeyString("a")
	item := []byte(`{"id":"1","pk":"a"}`)
	_, err := orders.CreateItem(t.Context(), key, item, nil)
	const retryWith = 449
	if e, ok := errors.AsType[*azcore.ResponseError](err); !ok || e.StatusCode != retryWith {
		t.Errorf("the first write: %v, want status 449", err)
	}
	if _, err := orders.CreateItem(t.Context(), key, item, nil); err != nil {
		t.Errorf("the second write: %v", err)
	}
}

func TestAShortPageOfCosmosLosesNoItems(t *testing.T) {
	t.Parallel()
	db := emulator.Run(t)
	orders := makeContainer(t, db, nil)
	key := azcosmos.NewPartitionKeyString("a")
	for _, id := range []string{"1", "2", "3"} {
		if _, err := orders.CreateItem(t.Context(), key, []byte(`{"id":"`+id+`","pk":"a"}`), nil); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := db.Fail(emulator.Fault{Do: emulator.DoShortPage, Times: 1}); err != nil {
		t.Fatal(err)
	}
	var sizes []int
	pages := orders.NewQueryItemsPager("SELECT * FROM c", key, nil)
	for pages.More() {
		page, err := pages.NextPage(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, len(page.Items))
	}
	if len(sizes) != 2 || sizes[0] != 1 || sizes[1] != 2 {
		t.Errorf("pages of %v items, want 1 and 2", sizes)
	}
}

// TestChangesOfCosmosAreDeliveredTwiceByAFault reads the change feed as its SDKs do, by the ETag of the page before.
func TestChangesOfCosmosAreDeliveredTwiceByAFault(t *testing.T) {
	t.Parallel()
	db := emulator.Run(t)
	orders := makeContainer(t, db, nil)
	if _, err := orders.CreateItem(t.Context(), azcosmos.NewPartitionKeyString("a"), []byte(`{"id":"1","pk":"a"}`),
		nil); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Fail(emulator.Fault{Do: emulator.DoRedeliver, Times: 1}); err != nil {
		t.Fatal(err)
	}
	options := &azcosmos.ChangeFeedOptions{FeedRange: &azcosmos.FeedRange{MinInclusive: "", MaxExclusive: "FF"}}
	for i, want := range []int{1, 1, 0} {
		out, err := orders.ReadChangeFeed(t.Context(), options)
		if err != nil {
			t.Fatal(err)
		}
		if out.Count != want {
			t.Errorf("read %d: %d changes (status %d), want %d", i+1, out.Count, out.RawResponse.StatusCode, want)
		}
		token, err := out.GetCompositeContinuationToken()
		if err != nil {
			t.Fatal(err)
		}
		options.Continuation = &token
	}
}

// TestTheClockJumpsByAFault checks for both databases that an item expires before the request that the fault is for.
func TestTheClockJumpsByAFault(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	e := emulator.Run(t, emulator.WithManualClock(start))
	orders := makeContainer(t, e, nil)
	key := azcosmos.NewPartitionKeyString("a")
	if _, err := orders.Replace(t.Context(), azcosmos.ContainerProperties{ID: "orders", DefaultTimeToLive: aws.Int32(60),
		PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Paths: []string{"/pk"}, Version: 2}}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := orders.CreateItem(t.Context(), key, []byte(`{"id":"1","pk":"a"}`), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Fail(emulator.Fault{Do: emulator.DoClockJump, Latency: time.Hour, Times: 2}); err != nil {
		t.Fatal(err)
	}
	_, err := orders.ReadItem(t.Context(), key, "1", nil)
	if e, ok := errors.AsType[*azcore.ResponseError](err); !ok || e.StatusCode != http.StatusNotFound {
		t.Errorf("an expired item: %v, want status 404", err)
	}
	newTable(client(e), "counters")
	put(t, client(e), "counters", text("id", "a")) // the fault has ended
	if passed := e.Now().Sub(start); passed != 2*time.Hour {
		t.Errorf("%v passed, want 2h", passed)
	}
}

// TestCredentialsExpireByAFault sends a write to each cloud with a token that has expired, and then again.
func TestCredentialsExpireByAFault(t *testing.T) {
	t.Parallel()
	c := newCounter(t)
	c.fail(t, emulator.Fault{Do: emulator.DoExpiredToken, Operations: []string{"UpdateItem", "CreateDocument"}, Times: 2})
	if _, err := c.db.UpdateItem(t.Context(), increment("a")); code(err) != "ExpiredTokenException" {
		t.Errorf("the update: %v, want ExpiredTokenException", err)
	}
	key, item := azcosmos.NewPartitionKeyString("a"), []byte(`{"id":"1","pk":"a"}`)
	orders := makeContainer(t, c.Emulator, nil)
	_, err := orders.CreateItem(t.Context(), key, item, nil)
	if refused := new(azcore.ResponseError); !errors.As(err, &refused) || refused.StatusCode != http.StatusForbidden {
		t.Errorf("the item: %v, want status 403", err)
	}
	if _, err := orders.CreateItem(t.Context(), key, item, nil); err != nil {
		t.Errorf("the item again: %v", err)
	}
	if n := c.value(t, "a", true); n != "0" {
		t.Errorf("the counter is %s, want 0", n)
	}
}
