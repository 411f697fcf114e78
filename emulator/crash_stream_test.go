package emulator_test

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
)

// replay builds a table's content from its stream.
func (v *emulatorProcess) replay(t *testing.T) map[string]string {
	t.Helper()
	options := v.client.Options()
	streams := dynamodbstreams.New(dynamodbstreams.Options{
		Region: options.Region, BaseEndpoint: options.BaseEndpoint, Credentials: options.Credentials,
		HTTPClient: options.HTTPClient,
	})
	table, err := v.client.DescribeTable(context.Background(),
		&dynamodb.DescribeTableInput{TableName: aws.String("crash")})
	if err != nil {
		t.Fatal(err)
	}
	state := map[string]string{}
	for _, r := range readStream(t, streams, table.Table.LatestStreamArn) {
		key := streamText(r.Dynamodb.Keys["pk"])
		if was := streamText(r.Dynamodb.OldImage["v"]); was != state[key] {
			t.Errorf("a record of %s says that it was %q, and it was %q", key, was, state[key])
		}
		if state[key] = streamText(r.Dynamodb.NewImage["v"]); r.EventName == streamtypes.OperationTypeRemove {
			delete(state, key)
		}
	}
	return state
}

func streamText(v streamtypes.AttributeValue) string {
	s, _ := v.(*streamtypes.AttributeValueMemberS)
	if s == nil {
		return ""
	}
	return s.Value
}

// readStream reads all records of a stream, each shard after its parent.
func readStream(t *testing.T, c *dynamodbstreams.Client, arn *string) []streamtypes.Record {
	t.Helper()
	ctx := context.Background()
	var all []streamtypes.Record
	var after *string
	for {
		page, err := c.DescribeStream(ctx, &dynamodbstreams.DescribeStreamInput{StreamArn: arn, ExclusiveStartShardId: after})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range page.StreamDescription.Shards {
			all = append(all, readShard(t, c, arn, s.ShardId)...)
		}
		if after = page.StreamDescription.LastEvaluatedShardId; after == nil {
			return all
		}
	}
}

func readShard(t *testing.T, c *dynamodbstreams.Client, arn, shard *string) (all []streamtypes.Record) {
	t.Helper()
	ctx := context.Background()
	first, err := c.GetShardIterator(ctx, &dynamodbstreams.GetShardIteratorInput{
		StreamArn: arn, ShardId: shard, ShardIteratorType: streamtypes.ShardIteratorTypeTrimHorizon,
	})
	if err != nil {
		t.Fatal(err)
	}
	for next := first.ShardIterator; next != nil; {
		page, err := c.GetRecords(ctx, &dynamodbstreams.GetRecordsInput{ShardIterator: next})
		if err != nil {
			t.Fatal(err)
		}
		if all = append(all, page.Records...); len(page.Records) == 0 {
			break
		}
		next = page.NextShardIterator
	}
	return all
}
