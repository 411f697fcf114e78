package emulator_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"github.com/tabletop-db/tabletop/emulator"
)

// followed returns an emulator with a table that has a stream, and its clients.
func followed(t *testing.T, opts ...emulator.Option) (*emulator.Emulator, *dynamodb.Client,
	*dynamodbstreams.Client, *string) {
	t.Helper()
	e := emulator.Run(t, opts...)
	cfg := e.AWSConfig()
	cfg.Retryer = func() aws.Retryer { return aws.NopRetryer{} }
	c, streams, arn := followedTable(t, cfg)
	return e, c, streams, arn
}

// followedTable makes a table that has a stream, and returns its clients.
func followedTable(t *testing.T, cfg aws.Config) (*dynamodb.Client, *dynamodbstreams.Client, *string) {
	t.Helper()
	c := dynamodb.NewFromConfig(cfg)
	makeTable(t, c, "followed")
	out, err := c.UpdateTable(t.Context(), &dynamodb.UpdateTableInput{TableName: aws.String("followed"),
		StreamSpecification: &types.StreamSpecification{
			StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeNewImage,
		}})
	if err != nil {
		t.Fatal(err)
	}
	return c, dynamodbstreams.NewFromConfig(cfg), out.TableDescription.LatestStreamArn
}

// TestStreamErrorsHaveTheSDKsTypes checks the SDK's error types of DynamoDB Streams.
func TestStreamErrorsHaveTheSDKsTypes(t *testing.T) {
	t.Parallel()
	e, c, streams, arn := followed(t, emulator.WithManualClock(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)))
	put(t, c, "followed", text("pk", "a", "v", "1"))
	shards, err := streams.DescribeStream(t.Context(), &dynamodbstreams.DescribeStreamInput{StreamArn: arn})
	if err != nil {
		t.Fatal(err)
	}
	shard := shards.StreamDescription.Shards[0]
	at := func(sequence *string) (*dynamodbstreams.GetShardIteratorOutput, error) {
		return streams.GetShardIterator(t.Context(), &dynamodbstreams.GetShardIteratorInput{
			StreamArn: arn, ShardId: shard.ShardId, ShardIteratorType: streamtypes.ShardIteratorTypeAtSequenceNumber,
			SequenceNumber: sequence,
		})
	}
	first, err := at(shard.SequenceNumberRange.StartingSequenceNumber)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Advance(16 * time.Minute); err != nil {
		t.Fatal(err)
	}
	_, err = streams.GetRecords(t.Context(), &dynamodbstreams.GetRecordsInput{ShardIterator: first.ShardIterator})
	if expired := new(streamtypes.ExpiredIteratorException); !errors.As(err, &expired) {
		t.Errorf("an old iterator: %v", err)
	}
	if err := e.Advance(24 * time.Hour); err != nil {
		t.Fatal(err)
	}
	_, err = at(shard.SequenceNumberRange.StartingSequenceNumber)
	if trimmed := new(streamtypes.TrimmedDataAccessException); !errors.As(err, &trimmed) {
		t.Errorf("an old sequence number: %v", err)
	}
	_, err = streams.DescribeStream(t.Context(), &dynamodbstreams.DescribeStreamInput{StreamArn: aws.String(*arn + "0")})
	if missing := new(streamtypes.ResourceNotFoundException); !errors.As(err, &missing) {
		t.Errorf("another stream: %v", err)
	}
}

// TestStreamReadersMissNothing reads a stream during concurrent writes to the table.
func TestStreamReadersMissNothing(t *testing.T) {
	t.Parallel()
	const writers, each = 8, 50
	_, c, streams, arn := followed(t)
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				_, err := c.PutItem(context.Background(), &dynamodb.PutItemInput{
					TableName: aws.String("followed"), Item: text("pk", fmt.Sprintf("%d-%d", w, i), "v", "x"),
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	seen := map[string]int{}
	follow(t, streams, arn, done, func(r streamtypes.Record) { seen[streamText(r.Dynamodb.Keys["pk"])]++ })
	for key, n := range seen {
		if n != 1 {
			t.Errorf("%s was seen %d times", key, n)
		}
	}
	if len(seen) != writers*each {
		t.Errorf("%d of %d changes were seen", len(seen), writers*each)
	}
}

// follow reads all shards repeatedly, until the writers are done and everything is read.
func follow(t *testing.T, c *dynamodbstreams.Client, arn *string, done <-chan struct{}, saw func(streamtypes.Record)) {
	t.Helper()
	out, err := c.DescribeStream(t.Context(), &dynamodbstreams.DescribeStreamInput{StreamArn: arn})
	if err != nil {
		t.Fatal(err)
	}
	next := map[string]*string{}
	for _, s := range out.StreamDescription.Shards {
		first, err := c.GetShardIterator(t.Context(), &dynamodbstreams.GetShardIteratorInput{
			StreamArn: arn, ShardId: s.ShardId, ShardIteratorType: streamtypes.ShardIteratorTypeTrimHorizon,
		})
		if err != nil {
			t.Fatal(err)
		}
		next[*s.ShardId] = first.ShardIterator
	}
	for ended, found := false, 1; !ended || found > 0; {
		select {
		case <-done:
			ended = true
		default:
		}
		found = 0
		for shard, iterator := range next {
			page, err := c.GetRecords(t.Context(), &dynamodbstreams.GetRecordsInput{ShardIterator: iterator})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range page.Records {
				saw(r)
			}
			next[shard], found = page.NextShardIterator, found+len(page.Records)
		}
	}
}
