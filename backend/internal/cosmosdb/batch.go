package cosmosdb

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// MaxBatch is how many operations a transactional batch may have.
const MaxBatch = 100

// Unmet is a batch of which nothing was done: the operation Index, from 0, could not be. It wraps ErrMissing, ErrExists
// or ErrChanged.
type Unmet struct {
	Index int
	Kind  error
}

// Error says which operation was in the way.
func (u *Unmet) Error() string { return fmt.Sprintf("operation %d of the batch: %v", u.Index, u.Kind) }

// Unwrap makes errors.Is find the kind.
func (u *Unmet) Unwrap() error { return u.Kind }

// Batch runs operations on documents of one partition, all or none. An *Unmet says which could not be done.
//
// Of a try without an answer nobody knows whether it was done; a second one then meets its own traces. So build only
// batches that are safe to be told ErrExists or ErrChanged about though they were done.
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

// firstUnmet is why a batch was not done: the operation that does not fail for another's sake alone.
func firstUnmet(out azcosmos.TransactionalBatchResponse) error {
	for i, result := range out.OperationResults {
		if result.StatusCode < http.StatusBadRequest || result.StatusCode == http.StatusFailedDependency {
			continue
		}
		kind := kindOf(int(result.StatusCode), "")
		if kind == nil {
			kind = fmt.Errorf("the database answered %d", result.StatusCode)
		}
		return &Unmet{Index: i, Kind: kind}
	}
	if !out.Success {
		return errors.New("the database did not run the batch and does not say why")
	}
	return nil
}
