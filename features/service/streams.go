package service

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/cucumber/godog"
)

func (w *world) streams(sc *godog.ScenarioContext) {
	sc.Step(`^the table "([^"]*)" gets a stream of ([A-Z_]+)$`, func(ctx context.Context, table, view string) error {
		return w.setStream(ctx, table, &types.StreamSpecification{StreamEnabled: aws.Bool(true),
			StreamViewType: types.StreamViewType(view)})
	})
	sc.Step(`^the stream of the table "([^"]*)" is disabled$`, func(ctx context.Context, table string) error {
		return w.setStream(ctx, table, &types.StreamSpecification{StreamEnabled: aws.Bool(false)})
	})
	sc.Step(`^the stream of "([^"]*)" shows$`, w.streamShows)
	sc.Step(`^the stream of "([^"]*)" shows nothing$`, func(ctx context.Context, table string) error {
		return w.streamShows(ctx, table, nil)
	})
	sc.Step(`^there (?:are|is) (\d+) streams? of "([^"]*)"$`, w.streamsAre)
	sc.Step(`^the stream of "([^"]*)" has (\d+) open shards? and (\d+) closed ones?$`, w.shardsAre)
	sc.Step(`^each open shard of the stream of "([^"]*)" has a closed parent$`, w.parentsAreClosed)
	sc.Step(`^an iterator at the end of the stream of "([^"]*)"$`, w.takeIterator)
	sc.Step(`^the iterator is used$`, w.useIterator)
	sc.Step(`^one character of the iterator is changed$`, w.changeIterator)
	sc.Step(`^it returns (\d+) records?$`, w.iteratorReturns)
	sc.Step(`^the items of "([^"]*)" expire by "([^"]*)"$`, w.expireBy)
	sc.Step(`^an item "([^"]*)" that expires in (\d+) seconds is put into "([^"]*)"$`, w.putExpiring)
	sc.Step(`^the table "([^"]*)" is deleted$`, func(ctx context.Context, table string) error {
		_, err := w.Once.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: w.Table(table)})
		return err
	})
}

// streamsClient returns an SDK client for the scenario's emulator.
func (w *world) streamsClient() *dynamodbstreams.Client {
	return dynamodbstreams.NewFromConfig(w.Target.Emulator.AWSConfig(), func(o *dynamodbstreams.Options) {
		o.Retryer = aws.NopRetryer{}
	})
}

func (w *world) setStream(ctx context.Context, table string, to *types.StreamSpecification) error {
	_, err := w.Once.UpdateTable(ctx, &dynamodb.UpdateTableInput{TableName: w.Table(table), StreamSpecification: to})
	return err
}

// streamsOf returns the streams of a table, newest last.
func (w *world) streamsOf(ctx context.Context, table string) ([]streamtypes.Stream, error) {
	out, err := w.streamsClient().ListStreams(ctx, &dynamodbstreams.ListStreamsInput{TableName: w.Table(table)})
	if err != nil {
		return nil, err
	}
	return out.Streams, nil
}

func (w *world) streamsAre(ctx context.Context, want int, table string) error {
	all, err := w.streamsOf(ctx, table)
	if err == nil && len(all) != want {
		return fmt.Errorf("there are %d", len(all))
	}
	return err
}

// newestStream returns a table's newest stream with its shards.
func (w *world) newestStream(ctx context.Context, table string) (*streamtypes.StreamDescription, error) {
	all, err := w.streamsOf(ctx, table)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("there is no stream of %s", table)
	}
	out, err := w.streamsClient().DescribeStream(ctx,
		&dynamodbstreams.DescribeStreamInput{StreamArn: all[len(all)-1].StreamArn})
	if err != nil {
		return nil, err
	}
	return out.StreamDescription, nil
}

func (w *world) shardsAre(ctx context.Context, table string, open, closed int) error {
	s, err := w.newestStream(ctx, table)
	if err != nil {
		return err
	}
	ended := 0
	for _, shard := range s.Shards {
		if shard.SequenceNumberRange.EndingSequenceNumber != nil {
			ended++
		}
	}
	if ended != closed || len(s.Shards)-ended != open {
		return fmt.Errorf("it has %d open and %d closed ones", len(s.Shards)-ended, ended)
	}
	return nil
}

func (w *world) parentsAreClosed(ctx context.Context, table string) error {
	s, err := w.newestStream(ctx, table)
	if err != nil {
		return err
	}
	closed := map[string]bool{}
	for _, shard := range s.Shards {
		closed[*shard.ShardId] = shard.SequenceNumberRange.EndingSequenceNumber != nil
	}
	for _, shard := range s.Shards {
		if !closed[*shard.ShardId] && !closed[aws.ToString(shard.ParentShardId)] {
			return fmt.Errorf("%s has the parent %q", *shard.ShardId, aws.ToString(shard.ParentShardId))
		}
	}
	return nil
}

// streamShows compares the records of a table's newest stream with rows, by the columns of the rows.
func (w *world) streamShows(ctx context.Context, table string, rows *godog.Table) error {
	s, err := w.newestStream(ctx, table)
	if err != nil {
		return err
	}
	var got []streamtypes.Record
	for _, shard := range s.Shards {
		records, err := w.readShard(ctx, s.StreamArn, shard.ShardId)
		if err != nil {
			return err
		}
		got = append(got, records...)
	}
	if rows == nil {
		rows = &godog.Table{Rows: nil}
	}
	if want := max(0, len(rows.Rows)-1); len(got) != want {
		return fmt.Errorf("it shows %d records: %s", len(got), describeRecords(got))
	}
	for i, r := range got {
		for column, cell := range rows.Rows[i+1].Cells {
			if is := showColumn(r, rows.Rows[0].Cells[column].Value); !sameJSON(is, cell.Value) {
				return fmt.Errorf("record %d has %s %s", i+1, rows.Rows[0].Cells[column].Value, is)
			}
		}
	}
	return nil
}

func (w *world) readShard(ctx context.Context, arn, shard *string) (all []streamtypes.Record, err error) {
	first, err := w.streamsClient().GetShardIterator(ctx, &dynamodbstreams.GetShardIteratorInput{
		StreamArn: arn, ShardId: shard, ShardIteratorType: streamtypes.ShardIteratorTypeTrimHorizon,
	})
	if err != nil {
		return nil, err
	}
	for next := first.ShardIterator; next != nil; {
		page, err := w.streamsClient().GetRecords(ctx, &dynamodbstreams.GetRecordsInput{ShardIterator: next})
		if err != nil {
			return nil, err
		}
		if all = append(all, page.Records...); len(page.Records) == 0 {
			break
		}
		next = page.NextShardIterator
	}
	return all, nil
}

// showColumn returns a record's value for a column of a scenario's table, or "" if it has none.
func showColumn(r streamtypes.Record, column string) string {
	switch column {
	case "event":
		return string(r.EventName)
	case "key":
		return showImage(r.Dynamodb.Keys)
	case "before":
		return showImage(r.Dynamodb.OldImage)
	case "after":
		return showImage(r.Dynamodb.NewImage)
	case "by":
		if r.UserIdentity != nil {
			return aws.ToString(r.UserIdentity.Type) + " " + aws.ToString(r.UserIdentity.PrincipalId)
		}
		return ""
	}
	return "no such column"
}

func showImage(image map[string]streamtypes.AttributeValue) string {
	if image == nil {
		return ""
	}
	it, err := attributevalue.FromDynamoDBStreamsMap(image)
	if err != nil {
		return err.Error()
	}
	var plain map[string]any
	if err := attributevalue.UnmarshalMap(it, &plain); err != nil {
		return err.Error()
	}
	text, err := json.Marshal(plain)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// sameJSON reports whether two texts are equal, or the same JSON.
func sameJSON(a, b string) bool {
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return a == b
	}
	return reflect.DeepEqual(x, y)
}

func describeRecords(all []streamtypes.Record) string {
	parts := make([]string, len(all))
	for i, r := range all {
		parts[i] = string(r.EventName) + " " + showImage(r.Dynamodb.Keys)
	}
	return strings.Join(parts, ", ")
}
