package transfer

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/tabletop-db/tabletop/internal/model/bulkload"
	"github.com/tabletop-db/tabletop/internal/model/datafile"
)

// BatchSize implements bulkload.Target: documents are upserted one by one.
func (c *Container) BatchSize() int { return 1 }

// Key implements bulkload.Target: the partition key and the id.
func (c *Container) Key(r *datafile.Record) (string, error) {
	id, ok := r.Item.Get("id")
	if !ok || id.Type != datafile.String {
		return "", errors.New(`the document has no "id" that is a string`)
	}
	if r.Delete {
		return "", errors.New("documents are not deleted by an import")
	}
	_, text, err := c.partitionKey(r.Item)
	return text + "\x00" + id.Text, err
}

// partitionKey returns the partition key of a document, and a text that identifies it.
func (c *Container) partitionKey(document datafile.Item) (key azcosmos.PartitionKey, text string, err error) {
	key = azcosmos.NewPartitionKey()
	for _, path := range c.paths {
		v, ok := lookup(document, path)
		if !ok {
			return key, "", fmt.Errorf("the document has no partition key %s", path)
		}
		switch v.Type {
		case datafile.String:
			key = key.AppendString(v.Text)
		case datafile.Number:
			n, err := strconv.ParseFloat(v.Text, 64)
			if err != nil {
				return key, "", fmt.Errorf("the partition key %s is out of range", path)
			}
			key = key.AppendNumber(n)
		case datafile.Bool:
			key = key.AppendBool(v.Bool)
		case datafile.Null:
			key = key.AppendNull()
		default:
			return key, "", fmt.Errorf("the partition key %s is not a string, number, true, false or null", path)
		}
		text += "\x00" + v.Identity()
	}
	return key, text, nil
}

// lookup returns the value at a path such as /customer/id.
func lookup(document datafile.Item, path string) (v datafile.Value, ok bool) {
	v.Map = document
	for _, name := range strings.Split(strings.TrimPrefix(path, "/"), "/") {
		if v, ok = v.Map.Get(strings.Trim(name, `"`)); !ok {
			return v, false
		}
	}
	return v, true
}

// Write implements bulkload.Target.
func (c *Container) Write(ctx context.Context, batch []datafile.Record) (bulkload.Result, error) {
	key, _, err := c.partitionKey(batch[0].Item)
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
