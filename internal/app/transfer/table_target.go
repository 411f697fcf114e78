package transfer

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"github.com/tabletop-db/tabletop/internal/model/bulkload"
	"github.com/tabletop-db/tabletop/internal/model/datafile"
)

// TableTarget writes items to tables of DynamoDB with BatchWriteItem.
type TableTarget struct {
	db     *dynamodb.Client
	tables map[string]datafile.TableKey // by name
	only   string                       // the table of records that name none
}

// NewTableTarget returns a target that writes to these tables. Records that name no table belong to the first.
func NewTableTarget(db *dynamodb.Client, tables ...*types.TableDescription) *TableTarget {
	t := &TableTarget{db: db, tables: map[string]datafile.TableKey{}, only: *tables[0].TableName}
	for _, d := range tables {
		t.tables[*d.TableName] = SchemaOf(d).TableKey()
	}
	return t
}

// BatchSize implements bulkload.Target: the maximum of BatchWriteItem.
func (t *TableTarget) BatchSize() int { return 25 }

func (t *TableTarget) tableOf(r *datafile.Record) string {
	if r.Table != "" {
		return r.Table
	}
	return t.only
}

// Key implements bulkload.Target.
func (t *TableTarget) Key(r *datafile.Record) (string, error) {
	table := t.tableOf(r)
	key, err := t.tables[table].Of(r.Item)
	return table + "\x00" + key, err
}

// Write implements bulkload.Target.
func (t *TableTarget) Write(ctx context.Context, batch []datafile.Record) (bulkload.Result, error) {
	in := &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{},
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal}
	for i := range batch {
		table := t.tableOf(&batch[i])
		in.RequestItems[table] = append(in.RequestItems[table], t.request(table, &batch[i]))
	}
	out, err := t.db.BatchWriteItem(ctx, in)
	switch {
	case isThrottle(err):
		return bulkload.Result{Throttled: batch}, nil
	case isRefusal(err):
		return bulkload.Result{}, &bulkload.Refused{Reason: reasonOf(err)}
	case err != nil:
		return bulkload.Result{}, plainError(err)
	}
	return bulkload.Result{Throttled: t.unprocessed(batch, out.UnprocessedItems), Cost: units(out.ConsumedCapacity)}, nil
}

func (t *TableTarget) request(table string, r *datafile.Record) types.WriteRequest {
	if !r.Delete {
		return types.WriteRequest{PutRequest: &types.PutRequest{Item: toSDK(r.Item)}}
	}
	return types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: toSDK(t.tables[table].Only(r.Item))}}
}

// unprocessed returns the records of the batch whose requests the service returned.
func (t *TableTarget) unprocessed(batch []datafile.Record,
	requests map[string][]types.WriteRequest) (all []datafile.Record) {
	returned := map[string]bool{}
	for table, list := range requests {
		for _, request := range list {
			item := datafile.Record{Table: table}
			if request.PutRequest != nil {
				item.Item = FromSDK(request.PutRequest.Item, nil)
			} else if request.DeleteRequest != nil {
				item.Item = FromSDK(request.DeleteRequest.Key, nil)
			}
			key, _ := t.Key(&item)
			returned[key] = true
		}
	}
	if len(returned) == 0 {
		return nil
	}
	for i := range batch {
		if key, _ := t.Key(&batch[i]); returned[key] {
			all = append(all, batch[i])
		}
	}
	return all
}

func units(consumed []types.ConsumedCapacity) (sum float64) {
	for _, c := range consumed {
		if c.CapacityUnits != nil {
			sum += *c.CapacityUnits
		}
	}
	return sum
}

// isThrottle reports whether a request may succeed later.
func isThrottle(err error) bool {
	return hasCode(err, "ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded")
}

// isRefusal reports whether a request was refused because of the items in it.
func isRefusal(err error) bool {
	return hasCode(err, "ValidationException", "ItemCollectionSizeLimitExceededException")
}

func hasCode(err error, codes ...string) bool {
	var api smithy.APIError
	return errors.As(err, &api) && slices.Contains(codes, api.ErrorCode())
}

// reasonOf returns the service's message, without the request's id.
func reasonOf(err error) string {
	var api smithy.APIError
	if errors.As(err, &api) && api.ErrorMessage() != "" {
		return api.ErrorMessage()
	}
	return err.Error()
}

// plainError returns the service's code and message, without the request that failed.
func plainError(err error) error {
	var api smithy.APIError
	if errors.As(err, &api) && api.ErrorMessage() != "" {
		return fmt.Errorf("%s: %s", api.ErrorCode(), api.ErrorMessage())
	}
	return err
}
