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

// Limits of a batch request, and the retries of what it leaves unprocessed.
const (
	maxGetKeys     = 100
	maxBatchWrites = 25
	maxAttempts    = 12                    // of one batch; the last follows pauses of about 11 seconds in all
	firstPause     = 25 * time.Millisecond // mean; doubles with each attempt, up to maxPause
	maxPause       = 2 * time.Second
)

// Batcher is the part of a DynamoDB client that reads and writes items in batches.
type Batcher interface {
	BatchGetItem(context.Context, *dynamodb.BatchGetItemInput, ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput,
		error)
	BatchWriteItem(context.Context, *dynamodb.BatchWriteItemInput,
		...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error)
}

// GetAll reads the items with these keys by strongly consistent reads, 100 per request, and retries unprocessed keys
// after a pause that doubles. Items come in no particular order; keys without an item are left out. The keys must be
// distinct.
func GetAll(ctx context.Context, client Batcher, table string, keys []Item, wait retry.Wait) ([]Item, error) {
	var items []Item
	for chunk := range slices.Chunk(keys, maxGetKeys) {
		err := retryUnprocessed(ctx, chunk, wait, func(batch []Item) ([]Item, error) {
			out, err := client.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
				table: {Keys: batch, ConsistentRead: aws.Bool(true)},
			}})
			if err != nil {
				return nil, MapError(err)
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

// WriteAll puts and deletes items, 25 per request, and retries unprocessed writes after a pause that doubles. The
// writes are not one transaction: after an error, earlier ones may have been applied. No two writes may address the
// same item.
func WriteAll(ctx context.Context, client Batcher, table string, writes []types.WriteRequest, wait retry.Wait) error {
	for chunk := range slices.Chunk(writes, maxBatchWrites) {
		err := retryUnprocessed(ctx, chunk, wait, func(batch []types.WriteRequest) ([]types.WriteRequest, error) {
			out, err := client.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{
				RequestItems: map[string][]types.WriteRequest{table: batch},
			})
			if err != nil {
				return nil, MapError(err)
			}
			return out.UnprocessedItems[table], nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// retryUnprocessed calls process with the remaining elements until it leaves none unprocessed.
func retryUnprocessed[T any](ctx context.Context, remaining []T, wait retry.Wait,
	process func([]T) ([]T, error)) error {
	policy := retry.Policy{Retryable: []error{errUnprocessed}, MaxAttempts: maxAttempts, FirstPause: firstPause,
		MaxPause: maxPause, Wait: wait}
	return policy.Do(ctx, func() (err error) {
		if remaining, err = process(remaining); err != nil || len(remaining) == 0 {
			return err
		}
		return fmt.Errorf("%w: %d", errUnprocessed, len(remaining))
	})
}

// errUnprocessed means that the service left part of a batch unprocessed.
var errUnprocessed = fmt.Errorf("%w (part of a batch was not processed)", ErrBusy)

// Put returns the write that puts item, for WriteAll.
func Put(item Item) types.WriteRequest {
	return types.WriteRequest{PutRequest: &types.PutRequest{Item: item}}
}

// Delete returns the write that deletes the item with this key, for WriteAll.
func Delete(key Item) types.WriteRequest {
	return types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: key}}
}
