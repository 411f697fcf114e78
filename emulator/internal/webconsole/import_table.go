package webconsole

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/tabletop-db/tabletop/internal/model/bulkload"
	"github.com/tabletop-db/tabletop/internal/model/datafile"
	"github.com/tabletop-db/tabletop/internal/util/pause"
)

// pollInterval is the time between two looks at a table that is being created.
const pollInterval = 100 * time.Millisecond

// exists reports whether a table exists. Errors: it has another key.
func (f *fileImport) exists(ctx context.Context, s *datafile.Schema) (bool, error) {
	existing, err := f.describe(ctx, s.TableName)
	switch {
	case isCode(err, "ResourceNotFoundException"):
		return false, nil
	case err == nil && !slices.Equal(existing.Key(), s.Key()):
		return true, fmt.Errorf("table %q exists with another key: delete it, or import the file after renaming its table",
			s.TableName)
	}
	return err == nil, err
}

// create creates a table if it does not exist, and waits until it is active. It reports whether it created it.
func (f *fileImport) create(ctx context.Context, s *datafile.Schema) (created bool, err error) {
	if exists, err := f.exists(ctx, s); exists || err != nil {
		return false, err
	}
	in, err := json.Marshal(s)
	if err != nil {
		return false, err
	}
	if err := f.dynamoDB(ctx, "CreateTable", in, &struct{}{}); err != nil {
		return false, fmt.Errorf("table %q: %w", s.TableName, err)
	}
	for {
		_, status, err := f.describeStatus(ctx, s.TableName)
		if err != nil || status == "ACTIVE" {
			return true, err
		}
		if err := pause.For(ctx, pollInterval); err != nil {
			return true, err
		}
	}
}

// tableTarget writes items to tables with BatchWriteItem.
type tableTarget struct {
	*fileImport
	keys map[string]datafile.TableKey // by table
	only string                       // the table of records that name none
}

// BatchSize implements bulkload.Target.
func (t *tableTarget) BatchSize() int { return 25 }

// Key implements bulkload.Target.
func (t *tableTarget) Key(r *datafile.Record) (string, error) {
	table := cmp.Or(r.Table, t.only)
	key, err := t.keys[table].Of(r.Item)
	return table + "\x00" + key, err
}

// batchWrite is a member of BatchWriteItem: requests by table.
type batchWrite map[string][]writeRequest

type writeRequest struct {
	PutRequest    *struct{ Item json.RawMessage } `json:",omitempty"`
	DeleteRequest *struct{ Key json.RawMessage }  `json:",omitempty"`
}

// Write implements bulkload.Target.
func (t *tableTarget) Write(ctx context.Context, batch []datafile.Record) (bulkload.Result, error) {
	in := struct {
		RequestItems           batchWrite
		ReturnConsumedCapacity string
	}{batchWrite{}, "TOTAL"}
	for i := range batch {
		table := cmp.Or(batch[i].Table, t.only)
		in.RequestItems[table] = append(in.RequestItems[table], t.writeRequest(table, &batch[i]))
	}
	body, err := json.Marshal(in)
	if err != nil {
		return bulkload.Result{}, err
	}
	var out struct {
		UnprocessedItems batchWrite
		ConsumedCapacity []struct{ CapacityUnits float64 }
	}
	err = t.dynamoDB(ctx, "BatchWriteItem", body, &out)
	switch {
	case isThrottled(err):
		return bulkload.Result{Throttled: batch}, nil
	case isCode(err, "ValidationException", "ItemCollectionSizeLimitExceededException"):
		return bulkload.Result{}, &bulkload.Refused{Reason: err.Error()}
	case err != nil:
		return bulkload.Result{}, err
	}
	result := bulkload.Result{Throttled: t.unprocessed(batch, out.UnprocessedItems)}
	for _, c := range out.ConsumedCapacity {
		result.Cost += c.CapacityUnits
	}
	return result, nil
}

func (t *tableTarget) writeRequest(table string, r *datafile.Record) (w writeRequest) {
	if r.Delete {
		w.DeleteRequest = &struct{ Key json.RawMessage }{datafile.AppendDynamoJSON(nil, t.keys[table].Only(r.Item))}
		return w
	}
	w.PutRequest = &struct{ Item json.RawMessage }{datafile.AppendDynamoJSON(nil, r.Item)}
	return w
}

// unprocessed returns the records of the batch whose requests the service returned.
func (t *tableTarget) unprocessed(batch []datafile.Record, requests batchWrite) (all []datafile.Record) {
	returned := map[string]bool{}
	for table, list := range requests {
		for _, request := range list {
			text := json.RawMessage(nil)
			if request.PutRequest != nil {
				text = request.PutRequest.Item
			} else if request.DeleteRequest != nil {
				text = request.DeleteRequest.Key
			}
			item, err := datafile.ParseDynamoJSON(text)
			if err != nil {
				continue // the service returns what it was sent
			}
			key, _ := t.keys[table].Of(item)
			returned[table+"\x00"+key] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(batch), func(r datafile.Record) bool {
		key, _ := t.Key(&r)
		return !returned[key]
	})
}
