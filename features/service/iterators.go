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

	"github.com/tabletop-db/tabletop/features/steps"
)

func (w *world) takeIterator(ctx context.Context, table string) error {
	s, err := w.newestStream(ctx, table)
	if err != nil {
		return err
	}
	out, err := w.streamsClient().GetShardIterator(ctx, &dynamodbstreams.GetShardIteratorInput{
		StreamArn: s.StreamArn, ShardId: s.Shards[len(s.Shards)-1].ShardId,
		ShardIteratorType: streamtypes.ShardIteratorTypeLatest,
	})
	if err != nil {
		return err
	}
	w.iterator = out.ShardIterator
	return nil
}

// useIterator reads records with the iterator and replaces it by the next one.
func (w *world) useIterator(ctx context.Context) {
	out, err := w.streamsClient().GetRecords(ctx, &dynamodbstreams.GetRecordsInput{ShardIterator: w.iterator})
	if w.Reply, w.records = (steps.Reply{Err: err}), 0; err == nil {
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

func (w *world) iteratorReturns(want int) error {
	if w.Err != nil || w.records != want {
		return fmt.Errorf("it returns %d (%v)", w.records, w.Err)
	}
	return nil
}

func (w *world) expireBy(ctx context.Context, table, attribute string) error {
	_, err := w.Once.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{
		TableName: w.Table(table), TimeToLiveSpecification: &types.TimeToLiveSpecification{Enabled: aws.Bool(true),
			AttributeName: &attribute},
	})
	return err
}

// putExpiring puts an item that expires after some seconds, by the attribute "until".
func (w *world) putExpiring(ctx context.Context, id string, seconds int64, table string) error {
	until := strconv.FormatInt(w.Target.Emulator.Now().Unix()+seconds, 10)
	_, err := w.Once.PutItem(ctx, &dynamodb.PutItemInput{TableName: w.Table(table), Item: steps.Item{
		"id": &types.AttributeValueMemberS{Value: id}, "until": &types.AttributeValueMemberN{Value: until},
	}})
	return err
}
