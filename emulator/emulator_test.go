package emulator_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
)

// client returns an SDK client of an emulator.
func client(e *emulator.Emulator) *dynamodb.Client { return dynamodb.NewFromConfig(e.AWSConfig()) }

// makeTable creates a table with the string key pk.
func makeTable(t testing.TB, c *dynamodb.Client, name string) {
	t.Helper()
	_, err := c.CreateTable(context.Background(), &dynamodb.CreateTableInput{
		TableName:   &name,
		BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("pk"),
			AttributeType: types.ScalarAttributeTypeS}},
		KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash}},
	})
	if err != nil {
		t.Fatal(err)
	}
}

// text returns an item of string attributes, given as names and values in turn.
func text(pairs ...string) map[string]types.AttributeValue {
	it := map[string]types.AttributeValue{}
	for i := 0; i < len(pairs); i += 2 {
		it[pairs[i]] = &types.AttributeValueMemberS{Value: pairs[i+1]}
	}
	return it
}

func put(t testing.TB, c *dynamodb.Client, table string, item map[string]types.AttributeValue) {
	t.Helper()
	if _, err := c.PutItem(context.Background(), &dynamodb.PutItemInput{TableName: &table, Item: item}); err != nil {
		t.Fatal(err)
	}
}

// count returns the number of items in a table, read one by one.
func count(t testing.TB, c *dynamodb.Client, table string) int {
	t.Helper()
	n := 0
	pages := dynamodb.NewScanPaginator(c, &dynamodb.ScanInput{TableName: &table})
	for pages.HasMorePages() {
		page, err := pages.NextPage(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		n += len(page.Items)
	}
	return n
}

func tables(t testing.TB, c *dynamodb.Client) []string {
	t.Helper()
	out, err := c.ListTables(context.Background(), &dynamodb.ListTablesInput{})
	if err != nil {
		t.Fatal(err)
	}
	return out.TableNames
}

func TestHundredsOfEmulatorsRunInParallel(t *testing.T) {
	t.Parallel()
	var wg sync.WaitGroup
	for i := range 200 {
		e := emulator.Run(t)
		wg.Go(func() {
			c := client(e)
			name := fmt.Sprintf("table-%d", i)
			makeTable(t, c, name)
			put(t, c, name, text("pk", "a"))
			if got := tables(t, c); len(got) != 1 || got[0] != name {
				t.Errorf("emulator %d has the tables %v", i, got)
			}
		})
	}
	wg.Wait()
}

func TestPortInUseErrorNamesTheRemedy(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	_, err = emulator.Start(emulator.WithDynamoDBAddr(taken.Addr().String()))
	var listen *emulator.ListenError
	if !errors.As(err, &listen) || listen.Addr != taken.Addr().String() {
		t.Errorf("the error is %v", err)
	}
}

func TestDataFolderSurvivesRestarts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for run := range 3 {
		e, err := emulator.Start(emulator.WithData(dir))
		if err != nil {
			t.Fatal(err)
		}
		c := client(e)
		if run == 0 {
			makeTable(t, c, "kept")
		}
		if got := count(t, c, "kept"); got != run {
			t.Errorf("run %d finds %d items", run, got)
		}
		put(t, c, "kept", text("pk", fmt.Sprint(run)))
		d, err := c.DescribeTable(context.Background(), &dynamodb.DescribeTableInput{TableName: aws.String("kept")})
		if err != nil || *d.Table.ItemCount != int64(run+1) {
			t.Errorf("run %d counts %v items: %v", run, d.Table.ItemCount, err)
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestDataFolderInUseIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	emulator.Run(t, emulator.WithData(dir))
	if e, err := emulator.Start(emulator.WithData(dir)); err == nil {
		e.Close()
		t.Error("two emulators share a folder")
	}
}

func TestSnapshotRestoreReset(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t)
	c := client(e)
	makeTable(t, c, "first")
	put(t, c, "first", text("pk", "a"))
	before, err := e.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	put(t, c, "first", text("pk", "b"))
	makeTable(t, c, "second")
	if err := e.Restore(before); err != nil {
		t.Fatal(err)
	}
	if got := tables(t, c); len(got) != 1 || count(t, c, "first") != 1 {
		t.Errorf("after Restore there are %v with %d items", got, count(t, c, "first"))
	}
	d, err := c.DescribeTable(context.Background(), &dynamodb.DescribeTableInput{TableName: aws.String("first")})
	if err != nil || *d.Table.ItemCount != 1 {
		t.Errorf("after Restore the table counts %v items: %v", d, err)
	}
	other := emulator.Run(t)
	if err := other.Restore(before); err != nil || count(t, client(other), "first") != 1 {
		t.Errorf("a snapshot is not restored elsewhere: %v", err)
	}
	if err := e.Reset(); err != nil || len(tables(t, c)) != 0 {
		t.Errorf("after Reset there are %v: %v", tables(t, c), err)
	}
	if err := e.Restore(nil); err == nil {
		t.Error("no snapshot was restored")
	}
}

func TestIsolatedAccountsDoNotSeeEachOther(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, emulator.WithIsolation())
	as := func(key, region string) *dynamodb.Client {
		cfg := e.AWSConfig()
		cfg.Region = region
		cfg.Credentials = credentials.NewStaticCredentialsProvider(key, "secret", "")
		return dynamodb.NewFromConfig(cfg)
	}
	makeTable(t, as("ann", "us-east-1"), "same")
	makeTable(t, as("bob", "us-east-1"), "same")
	makeTable(t, as("ann", "eu-west-1"), "same")
	put(t, as("ann", "us-east-1"), "same", text("pk", "a"))
	for _, who := range []struct {
		key, region string
		items       int
	}{{"ann", "us-east-1", 1}, {"bob", "us-east-1", 0}, {"ann", "eu-west-1", 0}} {
		if got := count(t, as(who.key, who.region), "same"); got != who.items {
			t.Errorf("%s in %s sees %d items", who.key, who.region, got)
		}
	}
}

func TestManualClockMovesOnlyWhenAdvanced(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	e := emulator.Run(t, emulator.WithManualClock(start))
	c := client(e)
	makeTable(t, c, "short-lived")
	_, err := c.UpdateTimeToLive(context.Background(), &dynamodb.UpdateTimeToLiveInput{
		TableName:               aws.String("short-lived"),
		TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String("until"), Enabled: aws.Bool(true)},
	})
	if err != nil {
		t.Fatal(err)
	}
	item := text("pk", "a")
	item["until"] = &types.AttributeValueMemberN{Value: fmt.Sprint(start.Add(time.Hour).Unix())}
	put(t, c, "short-lived", item)
	for _, step := range []struct {
		by   time.Duration
		want int
	}{{time.Hour, 1}, {time.Second, 0}} {
		if err := e.Advance(step.by); err != nil {
			t.Fatal(err)
		}
		if got := count(t, c, "short-lived"); got != step.want {
			t.Errorf("at %v there are %d items, want %d", e.Now(), got, step.want)
		}
	}
	if e.Advance(-time.Second) == nil {
		t.Error("time went backwards")
	}
}

func TestRestoredExpiredItemsAreDeleted(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	e := emulator.Run(t, emulator.WithManualClock(start))
	c := client(e)
	makeTable(t, c, "restored")
	_, err := c.UpdateTimeToLive(context.Background(), &dynamodb.UpdateTimeToLiveInput{
		TableName:               aws.String("restored"),
		TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String("until"), Enabled: aws.Bool(true)},
	})
	if err != nil {
		t.Fatal(err)
	}
	item := text("pk", "a")
	item["until"] = &types.AttributeValueMemberN{Value: fmt.Sprint(start.Add(time.Hour).Unix())}
	put(t, c, "restored", item)
	before, err := e.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Advance(2 * time.Hour); err != nil {
		t.Fatal(err)
	}
	if err := e.Restore(before); err != nil {
		t.Fatal(err)
	}
	if n := count(t, c, "restored"); n != 0 {
		t.Errorf("%d items are there after their time", n)
	}
}
