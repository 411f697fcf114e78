package emulator_test

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/cosmosclient"
)

// olderFolders are data folders that earlier versions wrote and closed, in testdata/folders; all except the first and
// the last two are encrypted. Each has the table "orders" and, if its version supports them and it was not made for
// something else, a KMS key with a table that it encrypts, an alarm, and a Cosmos DB database: the README.md there
// describes them.
var olderFolders = []struct {
	name         string // date and what was new
	format       int
	keys, cosmos bool
	place        bool // the table has an index with several key attributes
	stream       bool // the table has a stream, and items without their size
}{
	{name: "2026-11-21-first", format: 1},
	{name: "2026-11-21-cosmos", format: 2, keys: true, cosmos: true},
	{name: "2026-11-22-last-of-format-2", format: 2, keys: true, cosmos: true},
	{name: "2026-11-22-first-of-format-3", format: 3, keys: true, cosmos: true},
	{name: "2026-11-23-always-encrypted", format: 3, keys: true, cosmos: true},
	{name: "2026-11-24-several-key-attributes", format: 3, place: true},
	{name: "2026-11-28-last-of-format-3", format: 3, stream: true},
}

// TestOlderFoldersOpen opens each of them twice, as it was left and as the first opening leaves it, and reads
// everything.
func TestOlderFoldersOpen(t *testing.T) {
	t.Parallel()
	for _, f := range olderFolders {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			dir := unpack(t, filepath.Join("testdata", "folders", f.name+".tar.gz"))
			report, err := emulator.CheckFolder(dir, "")
			if err != nil || report.Format != f.format || report.Damaged {
				t.Fatalf("the folder is examined as %+v, %v", report, err)
			}
			for range 2 {
				e := emulator.Run(t, emulator.WithData(dir))
				checkOlderTables(t, client(e))
				if f.place {
					checkOlderPlaces(t, client(e))
				}
				if f.stream {
					checkOlderItems(t, e)
				}
				if f.keys {
					checkOlderKeys(t, client(e))
					checkOlderAlarms(t, cloudwatch.NewFromConfig(e.AWSConfig()))
				}
				if f.cosmos {
					checkOlderContainers(t, e)
				}
				if err := e.Close(); err != nil {
					t.Fatal(err)
				}
				if report, err := emulator.CheckFolder(dir, ""); err != nil || report.Format != 4 || report.Damaged {
					t.Errorf("the folder is then examined as %+v, %v", report, err)
				}
			}
		})
	}
}

// unpack extracts an archive into a new folder.
func unpack(t *testing.T, archive string) string {
	t.Helper()
	in, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	unzipped, err := gzip.NewReader(in)
	if err != nil {
		t.Fatal(err)
	}
	dir, files := t.TempDir(), tar.NewReader(unzipped)
	for {
		h, err := files.Next()
		if errors.Is(err, io.EOF) {
			return dir
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeReg {
			unpackFile(t, filepath.Join(dir, h.Name), files)
		}
	}
}

func unpackFile(t *testing.T, path string, content io.Reader) {
	t.Helper()
	text, err := io.ReadAll(content)
	if err = errors.Join(err, os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, text, 0o600)); err != nil {
		t.Fatal(err)
	}
}

func checkOlderTables(t *testing.T, c *dynamodb.Client) {
	t.Helper()
	key := text("pk", "a", "sk", "1")
	got, err := c.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("orders"), Key: key})
	if err != nil {
		t.Fatal(err)
	}
	if n, ok := got.Item["n"].(*types.AttributeValueMemberN); !ok || n.Value != "11" || len(got.Item) != 8 {
		t.Errorf("the item that was updated is %v", got.Item)
	}
	for index, condition := range map[string]string{"by-city": "city = :v", "by-day": "pk = :v"} {
		value := map[string]string{"by-city": "Riga", "by-day": "a"}[index]
		out, err := c.Query(t.Context(), &dynamodb.QueryInput{TableName: aws.String("orders"), IndexName: aws.String(index),
			KeyConditionExpression: aws.String(condition), ExpressionAttributeValues: text(":v", value)})
		if err != nil || len(out.Items) != 2 {
			t.Errorf("%s has %v, %v", index, out, err)
		}
	}
	if n := count(t, c, "orders"); n != 3 {
		t.Errorf("there are %d orders", n)
	}
	ttl, err := c.DescribeTimeToLive(t.Context(), &dynamodb.DescribeTimeToLiveInput{TableName: aws.String("orders")})
	if err != nil || aws.ToString(ttl.TimeToLiveDescription.AttributeName) != "until" {
		t.Errorf("the time to live is %+v, %v", ttl, err)
	}
	put(t, c, "orders", text("pk", "b", "sk", "0", "note", "written today"))
}

// checkOlderPlaces reads the index by-place, which has two partition key and two sort key attributes.
func checkOlderPlaces(t *testing.T, c *dynamodb.Client) {
	t.Helper()
	values := text(":c", "Riga", ":p", "a", ":d", "2026-11-3")
	values[":n"] = &types.AttributeValueMemberN{Value: "30"}
	out, err := c.Query(t.Context(), &dynamodb.QueryInput{TableName: aws.String("orders"),
		IndexName:                 aws.String("by-place"),
		KeyConditionExpression:    aws.String("city = :c AND pk = :p AND n = :n AND #d < :d"),
		ExpressionAttributeNames:  map[string]string{"#d": "day"},
		ExpressionAttributeValues: values})
	if err != nil || len(out.Items) != 1 {
		t.Errorf("by-place has %v, %v", out, err)
	}
	item := text("pk", "c", "sk", "1", "city", "Oslo", "day", "1")
	item["n"] = &types.AttributeValueMemberN{Value: "1"}
	put(t, c, "orders", item)
	if _, err := c.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: aws.String("orders"),
		Key: text("pk", "c", "sk", "1")}); err != nil {
		t.Error(err)
	}
}

// checkOlderItems writes items without their size again as they are, which is no change, and then changes one.
func checkOlderItems(t *testing.T, e *emulator.Emulator) {
	t.Helper()
	c := client(e)
	before := len(streamRecords(t, e, c))
	put(t, c, "orders", text("pk", "a", "sk", "3", "city", "Riga", "day", "2026-11-23"))
	update := func(expression string) {
		if _, err := c.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{TableName: aws.String("orders"),
			Key: text("pk", "a", "sk", "1"), UpdateExpression: aws.String(expression),
			ExpressionAttributeValues: map[string]types.AttributeValue{":v": &types.AttributeValueMemberN{Value: "11"}},
		}); err != nil {
			t.Error(err)
		}
	}
	update("SET n = :v")
	if n := len(streamRecords(t, e, c)) - before; n != 0 {
		t.Errorf("%d changes are recorded of items that did not change", n)
	}
	update("ADD n :v")
	update("SET n = :v")
	if n := len(streamRecords(t, e, c)) - before; n != 2 {
		t.Errorf("%d of 2 changes are recorded", n)
	}
}

func checkOlderKeys(t *testing.T, c *dynamodb.Client) {
	t.Helper()
	got, err := c.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("sealed"), Key: text("pk", "s")})
	if err != nil {
		t.Fatal(err)
	}
	if note, ok := got.Item["note"].(*types.AttributeValueMemberS); !ok || note.Value != "sealed note" {
		t.Errorf("the sealed item is %v", got.Item)
	}
	backups, err := c.ListBackups(t.Context(), &dynamodb.ListBackupsInput{})
	if err != nil || len(backups.BackupSummaries) != 1 {
		t.Errorf("the backups are %+v, %v", backups, err)
	}
}

func checkOlderAlarms(t *testing.T, c *cloudwatch.Client) {
	t.Helper()
	out, err := c.DescribeAlarms(t.Context(), &cloudwatch.DescribeAlarmsInput{})
	if err != nil || len(out.MetricAlarms) != 1 || aws.ToString(out.MetricAlarms[0].AlarmName) != "throttled" {
		t.Errorf("the alarms are %+v, %v", out, err)
	}
}

func checkOlderContainers(t *testing.T, e *emulator.Emulator) {
	t.Helper()
	c, err := cosmosclient.New(e, nil)
	if err != nil {
		t.Fatal(err)
	}
	items, err := c.NewContainer("shop", "items")
	if err != nil {
		t.Fatal(err)
	}
	levels, err := c.NewContainer("shop", "levels")
	if err != nil {
		t.Fatal(err)
	}
	a := azcosmos.NewPartitionKeyString("a")
	if _, err := items.ReadItem(t.Context(), a, "1", nil); err != nil {
		t.Error(err)
	}
	if _, err := levels.ReadItem(t.Context(), azcosmos.NewPartitionKeyString("t").AppendString("u"), "1",
		nil); err != nil {
		t.Error(err)
	}
	page, err := items.NewQueryItemsPager("SELECT VALUE c.id FROM c WHERE c.n >= 0 ORDER BY c.sku, c.n DESC", a,
		nil).NextPage(t.Context())
	if err != nil || len(page.Items) != 2 || string(page.Items[0]) != `"0"` {
		t.Errorf("the query answers %q, %v", page.Items, err)
	}
	_, err = items.CreateItem(t.Context(), a, []byte(`{"id":"again","pk":"a","sku":"s1"}`), nil)
	var refused *azcore.ResponseError
	if !errors.As(err, &refused) || refused.StatusCode != http.StatusConflict {
		t.Errorf("an item with the unique key of another: %v", err)
	}
	if _, err := items.UpsertItem(t.Context(), a, []byte(`{"id":"1","pk":"a","sku":"s1","n":1}`), nil); err != nil {
		t.Error(err)
	}
}
