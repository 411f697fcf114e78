package transfer

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/tabletop-db/tabletop/internal/model/bulkload"
	"github.com/tabletop-db/tabletop/internal/model/datafile"
)

// BatchSize implements bulkload.Target: documents are upserted one by one.
func (c *Container) BatchSize() int { return 1 }

// Key implements bulkload.Target: the partition key and the id.
func (c *Container) Key(r *datafile.Record) (string, error) {
	return datafile.DocumentIdentity(r, c.paths)
}

// partitionKey returns the partition key of a document.
func (c *Container) partitionKey(document datafile.Item) (azcosmos.PartitionKey, error) {
	key := azcosmos.NewPartitionKey()
	values, err := datafile.PartitionKey(document, c.paths)
	for _, v := range values {
		switch v.Type {
		case datafile.String:
			key = key.AppendString(v.Text)
		case datafile.Number:
			n, err := strconv.ParseFloat(v.Text, 64)
			if err != nil {
				return key, fmt.Errorf("the partition key %s is out of range", v.Text)
			}
			key = key.AppendNumber(n)
		case datafile.Bool:
			key = key.AppendBool(v.Bool)
		default:
			key = key.AppendNull()
		}
	}
	return key, err
}

// Write implements bulkload.Target.
func (c *Container) Write(ctx context.Context, batch []datafile.Record) (bulkload.Result, error) {
	key, err := c.partitionKey(batch[0].Item)
	if err != nil {
		return bulkload.Result{}, &bulkload.Refused{Reason: err.Error()}
	}
	text := datafile.AppendJSON(nil, batch[0].Item, false)
	once := policy.WithRetryOptions(ctx, policy.RetryOptions{MaxRetries: -1}) // the load pauses and repeats itself
	out, err := c.client.UpsertItem(once, key, text, nil)
	switch status := statusOf(err); {
	case err == nil:
		return bulkload.Result{Cost: float64(out.RequestCharge)}, nil
	case status == http.StatusTooManyRequests, status == statusRetryWith, status == http.StatusServiceUnavailable:
		return bulkload.Result{Throttled: batch}, nil
	case status == http.StatusBadRequest, status == http.StatusRequestEntityTooLarge, status == http.StatusConflict:
		return bulkload.Result{}, &bulkload.Refused{Reason: plainCosmosError(err).Error()}
	}
	return bulkload.Result{}, plainCosmosError(err)
}

// statusRetryWith (449) says that two writes conflicted, and that the request can be sent again.
const statusRetryWith = 449
