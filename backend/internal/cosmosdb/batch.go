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

// Unmet is the error of a batch that was not applied because the operation at Index (0-based) failed. It wraps
// ErrMissing, ErrExists or ErrChanged.
type Unmet struct {
	Index int
	Kind  error
}

// Error names the operation that failed and why.
func (u *Unmet) Error() string { return fmt.Sprintf("operation %d of the batch: %v", u.Index, u.Kind) }

// Unwrap returns Kind, for errors.Is.
func (u *Unmet) Unwrap() error { return u.Kind }

// Batch applies operations to documents of one partition atomically. Errors: *Unmet when an operation could not be
// applied.
//
// When an attempt gets no response, the client cannot know whether the batch was applied, and a second attempt meets
// the effects of the first. Build only batches for which ErrExists or ErrChanged is a safe result even though the batch
// was applied.
func (c *Container) Batch(ctx context.Context, key string, build func(*azcosmos.TransactionalBatch)) error {
	batch := c.client.NewTransactionalBatch(azcosmos.NewPartitionKeyString(key))
	build(&batch)
	var unmet error
	err := c.do(ctx, key, func(bool) (azcosmos.Response, error) {
		out, err := c.client.ExecuteTransactionalBatch(ctx, batch, nil)
		if err != nil {
			return out.Response, err
		}
		unmet = firstUnmet(out)
		if errors.Is(unmet, ErrBusy) {
			return out.Response, unmet
		}
		return out.Response, nil
	})
	return errors.Join(err, unmet)
}

// firstUnmet returns why a batch was not applied: the first operation that did not fail merely because another one did
// (status 424).
func firstUnmet(out azcosmos.TransactionalBatchResponse) error {
	for i, result := range out.OperationResults {
		if result.StatusCode < http.StatusBadRequest || result.StatusCode == http.StatusFailedDependency {
			continue
		}
		kind := kindOf(int(result.StatusCode), "")
		if kind == nil {
			kind = fmt.Errorf("the database responded with %d", result.StatusCode)
		}
		return &Unmet{Index: i, Kind: kind}
	}
	if !out.Success {
		return errors.New("the database did not run the batch and gave no reason")
	}
	return nil
}
