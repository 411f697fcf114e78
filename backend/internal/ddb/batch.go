package ddb

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/tabletop-db/tabletop/backend/internal/retry"
)

// What one request may hold, and how long is waited for the rest of it.
const (
	mostGets   = 100
	mostWrites = 25
	mostTries  = 12                    // of one request, the last of them after about 11 seconds of pauses
	firstPause = 25 * time.Millisecond // in the mean; doubled from try to try, up to lastPause
	lastPause  = 2 * time.Second
)

// Batcher is the part of a DynamoDB client that reads and writes many items at once.
type Batcher interface {
	BatchGetItem(context.Context, *dynamodb.BatchGetItemInput, ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error)
	BatchWriteItem(context.Context, *dynamodb.BatchWriteItemInput, ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error)
}

// GetAll reads the items with these keys, consistently, 100 a request, and again what the service leaves out, after a
// pause that doubles. Items come in no order, and those that are not there are missing. Keys must differ from each
// other.
func GetAll(ctx context.Context, client Batcher, table string, keys []Item, wait retry.Wait) ([]Item, error) {
	var items []Item
	for chunk := range slices.Chunk(keys, mostGets) {
		err := untilNone(ctx, chunk, wait, func(left []Item) ([]Item, error) {
			out, err := client.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
				table: {Keys: left, ConsistentRead: aws.Bool(true)},
			}})
			if err != nil {
				return nil, Failure(err)
			}
			items = append(items, out.Responses[table]...)
			return out.UnprocessedKeys[table].Keys, nil
		})
		if err != nil {
			return nil, err
		}
	}
	return items, nil
}

// WriteAll puts and deletes items, 25 a request, and again what the service leaves out, after a pause that doubles. The
// writes are not one transaction: an error leaves those before it done. No two may be of one item.
func WriteAll(ctx context.Context, client Batcher, table string, writes []types.WriteRequest, wait retry.Wait) error {
	for chunk := range slices.Chunk(writes, mostWrites) {
		err := untilNone(ctx, chunk, wait, func(left []types.WriteRequest) ([]types.WriteRequest, error) {
			out, err := client.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{
				RequestItems: map[string][]types.WriteRequest{table: left},
			})
			if err != nil {
				return nil, Failure(err)
			}
			return out.UnprocessedItems[table], nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// untilNone has some done until none is left.
func untilNone[T any](ctx context.Context, left []T, wait retry.Wait, some func([]T) ([]T, error)) error {
	tries := retry.Policy{On: []error{errLeft}, Tries: mostTries, First: firstPause, Longest: lastPause, Wait: wait}
	return tries.Do(ctx, func() (err error) {
		if left, err = some(left); err != nil || len(left) == 0 {
			return err
		}
		return fmt.Errorf("%w: %d", errLeft, len(left))
	})
}

// errLeft is a request of which the service has left a part undone.
var errLeft = fmt.Errorf("%w (members of a request are left undone)", ErrBusy)

// Put is the write of an item, for WriteAll.
func Put(item Item) types.WriteRequest {
	return types.WriteRequest{PutRequest: &types.PutRequest{Item: item}}
}

// Delete is the removal of the item with this key, for WriteAll.
func Delete(key Item) types.WriteRequest {
	return types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: key}}
}
