package cosmosdb

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// MaxBatch is the maximum number of operations in a transactional batch.
const MaxBatch = 100

// BatchError is the error of a batch that was not applied because the operation at Index (0-based) failed. It wraps
// ErrNotFound, ErrExists or ErrChanged.
type BatchError struct {
	Index int
	Kind  error
}

// Error names the operation that failed and why.
func (u *BatchError) Error() string {
	return fmt.Sprintf("operation %d of the batch: %v", u.Index, u.Kind)
}

// Unwrap returns Kind, for errors.Is.
func (u *BatchError) Unwrap() error { return u.Kind }

// Batch applies operations to documents of one partition atomically. Errors: *BatchError when an operation could not be
// applied.
//
// When an attempt gets no response, the client cannot know whether the batch was applied, and a second attempt meets
// the effects of the first. Build only batches for which ErrExists or ErrChanged is a safe result even though the batch
// was applied.
func (c *Container) Batch(ctx context.Context, key string, build func(*azcosmos.TransactionalBatch)) error {
	batch := c.client.NewTransactionalBatch(azcosmos.NewPartitionKeyString(key))
	build(&batch)
	var batchErr error
	err := c.do(ctx, key, func(bool) (azcosmos.Response, error) {
		out, err := c.client.ExecuteTransactionalBatch(ctx, batch, nil)
		if err != nil {
			return out.Response, err
		}
		batchErr = firstBatchError(out)
		if errors.Is(batchErr, ErrBusy) {
			return out.Response, batchErr
		}
		return out.Response, nil
	})
	return errors.Join(err, batchErr)
}

// firstBatchError returns why a batch was not applied: the first operation that did not fail merely because another one
// did (status 424).
func firstBatchError(out azcosmos.TransactionalBatchResponse) error {
	for i, result := range out.OperationResults {
		if result.StatusCode < http.StatusBadRequest || result.StatusCode == http.StatusFailedDependency {
			continue
		}
		kind := errorKind(int(result.StatusCode), "")
		if kind == nil {
			kind = fmt.Errorf("the database responded with %d", result.StatusCode)
		}
		return &BatchError{Index: i, Kind: kind}
	}
	if !out.Success {
		return errors.New("the database did not run the batch and gave no reason")
	}
	return nil
}
