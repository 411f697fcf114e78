package service

import (
	"context"
	"fmt"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
)

func (w *world) takeIterator(ctx context.Context, table string) error {
	s, err := w.newestStream(ctx, table)
	if err != nil {
		return err
	}
	out, err := w.streamsClient().GetShardIterator(ctx, &dynamodbstreams.GetShardIteratorInput{
		StreamArn: s.StreamArn, ShardId: s.Shards[len(s.Shards)-1].ShardId, ShardIteratorType: streamtypes.ShardIteratorTypeLatest,
	})
	if err != nil {
		return err
	}
	w.iterator = out.ShardIterator
	return nil
}

// useIterator reads on, from where the next use goes on.
func (w *world) useIterator(ctx context.Context) {
	out, err := w.streamsClient().GetRecords(ctx, &dynamodbstreams.GetRecordsInput{ShardIterator: w.iterator})
	if w.last, w.records = (reply{err: err}), 0; err == nil {
		w.iterator, w.records = out.NextShardIterator, len(out.Records)
	}
}

func (w *world) changeIterator() {
	changed := []byte(*w.iterator)
	if at := len(changed) - 10; changed[at] == 'A' {
		changed[at] = 'B'
	} else {
		changed[at] = 'A'
	}
	w.iterator = aws.String(string(changed))
}

func (w *world) brings(want int) error {
	if w.last.err != nil || w.records != want {
		return fmt.Errorf("it brings %d (%v)", w.records, w.last.err)
	}
	return nil
}

func (w *world) expireBy(ctx context.Context, table, attribute string) error {
	_, err := w.client.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{
		TableName: w.table(table), TimeToLiveSpecification: &types.TimeToLiveSpecification{Enabled: aws.Bool(true), AttributeName: &attribute},
	})
	return err
}

// putMortal puts an item whose time comes after some seconds, in the attribute "until".
func (w *world) putMortal(ctx context.Context, id string, seconds int64, table string) error {
	until := strconv.FormatInt(w.emulator.Now().Unix()+seconds, 10)
	_, err := w.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: w.table(table), Item: item{
		"id": &types.AttributeValueMemberS{Value: id}, "until": &types.AttributeValueMemberN{Value: until},
	}})
	return err
}
