package emulator_test

import (
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/console"
)

// enableOrdersRecovery enables point-in-time recovery for "orders" in the region of a client.
func enableOrdersRecovery(t *testing.T, c *dynamodb.Client) {
	t.Helper()
	if _, err := c.UpdateContinuousBackups(t.Context(), &dynamodb.UpdateContinuousBackupsInput{
		TableName: aws.String("orders"), PointInTimeRecoverySpecification: &types.PointInTimeRecoverySpecification{
			PointInTimeRecoveryEnabled: aws.Bool(true)}}); err != nil {
		t.Fatal(err)
	}
}

// versionsOf returns the changes of an item of "orders" in a region, as the console's API shows them.
func versionsOf(t *testing.T, e *emulator.Emulator, region, key string) string {
	t.Helper()
	a := browse(t, e, e.DynamoDBURL(), "GET", historyPath+"dynamodb/orders/item?region="+region+"&key="+
		url.QueryEscape(key), "")
	if a.status != 200 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	return a.body
}

// TestHistoryShowsWhoStartedABulkPut: who started a bulk put made its changes, in the history and in the stream.
func TestHistoryShowsWhoStartedABulkPut(t *testing.T) {
	t.Parallel()
	for name, options := range map[string][]emulator.Option{
		"in batches": {console.Option()}, "each alone": {console.Option(), emulator.WithLikeCloud(emulator.Conflicts)},
	} {
		b := newImportBucket(t, options...)
		b.createOrders(t)
		enableOrdersRecovery(t, b.client)
		b.put(t, "a/1", line("s", 1, "")+line("s", 1, `,"owner":{"S":"bo"}`))
		b.start(t, bulkPut("a/"))
		user := b.accessKey(t)
		got := versionsOf(t, b.emulator, "us-east-1", `{"p":{"S":"s"},"c":{"N":"1"}}`)
		if want := `"kind":"put","user":"` + user + `","operation":"StartBulkPutItems"`; strings.Count(got, want) != 2 {
			t.Errorf("%s: %s, want %s twice", name, got, want)
		}
		records := streamRecords(t, b.emulator, b.client)
		if len(records) != 2 {
			t.Errorf("%s: the stream has %d records, want 2", name, len(records))
		}
		for _, r := range records {
			if r.UserIdentity != nil {
				t.Errorf("%s: the stream says that %v made the change", name, *r.UserIdentity.PrincipalId)
			}
		}
	}
}

func (b importBucket) accessKey(t *testing.T) string {
	t.Helper()
	credentials, err := b.emulator.AWSConfig().Credentials.Retrieve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return credentials.AccessKeyID
}

// TestHistoryShowsReplication: changes that reach a replica later are by the replication role, and name the region of
// the write; without lag, and where they were written, they are by the writer.
func TestHistoryShowsReplication(t *testing.T) {
	t.Parallel()
	const role = `"user":"arn:aws:iam::000000000000:role/aws-service-role/replication.dynamodb.amazonaws.com/` +
		`AWSServiceRoleForDynamoDBReplication","operation":"Replication from us-east-1"`
	for _, c := range []struct {
		name    string
		options []emulator.Option
		replica []string // a member of each version in the replica, the newest first
	}{
		{"lag", []emulator.Option{emulator.WithLikeCloud(emulator.Lag)}, []string{role, role}},
		{"no lag", nil, []string{`"operation":"DeleteItem"`, `"operation":"PutItem"`}},
	} {
		w := newWorld(t, append(c.options, console.Option())...)
		w.createTable(t)
		w.addReplica(t, "us-east-1", "eu-west-1")
		for _, region := range threeRegions[:2] {
			enableOrdersRecovery(t, w.in[region])
		}
		w.put(t, "us-east-1", "a", "1")
		w.advance(t, time.Minute)
		w.remove(t, "us-east-1", "a")
		w.advance(t, time.Minute)
		for region, want := range map[string][]string{"eu-west-1": c.replica,
			"us-east-1": {`"operation":"DeleteItem"`, `"operation":"PutItem"`}} {
			versions := strings.Split(versionsOf(t, w.emulator, region, `{"id":{"S":"a"}}`), `{"at":`)[1:]
			if len(versions) != 2 || !strings.Contains(versions[0], want[0]) || !strings.Contains(versions[1], want[1]) ||
				!strings.Contains(versions[0], `"kind":"delete"`) || strings.Contains(versions[1], `"user":""`) {
				t.Errorf("%s, %s: %q, want %q", c.name, region, versions, want)
			}
		}
	}
}

// TestHistoryShowsReplicatedDeletionsByTimeToLive: an expired item is deleted by the service where it expires, and by
// the replication role in a replica.
func TestHistoryShowsReplicatedDeletionsByTimeToLive(t *testing.T) {
	t.Parallel()
	w := newWorld(t, console.Option())
	w.createTable(t)
	w.addReplica(t, "us-east-1", "eu-west-1")
	if _, err := w.in["us-east-1"].UpdateTimeToLive(t.Context(), &dynamodb.UpdateTimeToLiveInput{
		TableName: aws.String("orders"), TimeToLiveSpecification: &types.TimeToLiveSpecification{
			AttributeName: aws.String("value"), Enabled: aws.Bool(true)}}); err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, region := range threeRegions[:2] {
		enableOrdersRecovery(t, w.in[region])
	}
	item := valueItem("a", "1")
	item["value"] = &types.AttributeValueMemberN{Value: strconv.FormatInt(kinesisNoon.Unix()+60, 10)}
	if _, err := w.in["us-east-1"].PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("orders"),
		Item: item}); err != nil {
		t.Fatal(err)
	}
	w.advance(t, 10*time.Minute)
	for _, region := range threeRegions[:2] {
		all.WriteString(versionsOf(t, w.emulator, region, `{"id":{"S":"a"}}`))
	}
	if got := all.String(); strings.Count(got, `"kind":"expire","user":"","operation":""`) != 1 ||
		strings.Count(got, `"operation":"Replication from `) != 1 {
		t.Error(got)
	}
}

// streamRecords returns the records of the stream of "orders".
func streamRecords(t *testing.T, e *emulator.Emulator, c *dynamodb.Client) (all []streamtypes.Record) {
	t.Helper()
	d, err := c.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("orders")})
	if err != nil {
		t.Fatal(err)
	}
	s, arn := dynamodbstreams.NewFromConfig(e.AWSConfig()), d.Table.LatestStreamArn
	stream, err := s.DescribeStream(t.Context(), &dynamodbstreams.DescribeStreamInput{StreamArn: arn})
	if err != nil {
		t.Fatal(err)
	}
	for _, shard := range stream.StreamDescription.Shards {
		at, err := s.GetShardIterator(t.Context(), &dynamodbstreams.GetShardIteratorInput{StreamArn: arn,
			ShardId: shard.ShardId, ShardIteratorType: streamtypes.ShardIteratorTypeTrimHorizon})
		if err != nil {
			t.Fatal(err)
		}
		out, err := s.GetRecords(t.Context(), &dynamodbstreams.GetRecordsInput{ShardIterator: at.ShardIterator})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, out.Records...)
	}
	return all
}
