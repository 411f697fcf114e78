package transfer

import (
	"context"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/internal/model/condition"
	"github.com/tabletop-db/tabletop/internal/model/datafile"
)

// ScanOptions holds what to read of a table.
type ScanOptions struct {
	Table, Index string   // Index: empty for the table
	Key          []string // attributes that come first in each item
	Segments     int      // parallel scans
	Filter       string   // in the language of ParseExpression
	Projection   string   // names of attributes, with commas
	Consistent   bool     // strongly consistent reads; not for global secondary indexes
}

// Page is what one request of a scan or query returned.
type Page struct {
	Items   []datafile.Item
	Scanned int64 // items that were read, before the filter
	Units   float64
}

// Scan reads a table or an index with parallel scans. page is called for each page, one at a time; its error ends the
// scan, ErrStop without an error.
func Scan(ctx context.Context, db *dynamodb.Client, o ScanOptions, page func(Page) error) error {
	in, err := o.input()
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var running sync.WaitGroup
	var mu sync.Mutex
	for segment := range o.Segments {
		running.Go(func() {
			if err := scanSegment(ctx, db, in, int32(segment), &mu, o.Key, page); err != nil {
				stop(err)
			}
		})
	}
	running.Wait()
	return withoutStop(context.Cause(ctx))
}

func (o *ScanOptions) input() (dynamodb.ScanInput, error) {
	in := dynamodb.ScanInput{TableName: &o.Table, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		TotalSegments: aws.Int32(int32(o.Segments)), ConsistentRead: aws.Bool(o.Consistent)}
	if o.Index != "" {
		in.IndexName = &o.Index
	}
	var e condition.Expressions
	var err error
	if in.FilterExpression, err = e.Condition(o.Filter); err != nil {
		return in, err
	}
	if in.ProjectionExpression, err = e.Condition(o.Projection); err != nil {
		return in, err
	}
	in.ExpressionAttributeNames, in.ExpressionAttributeValues = e.Names, e.Values
	return in, nil
}

func scanSegment(ctx context.Context, db *dynamodb.Client, in dynamodb.ScanInput, segment int32, mu *sync.Mutex,
	key []string, page func(Page) error) error {
	in.Segment = &segment
	for {
		out, err := db.Scan(ctx, &in)
		if err != nil {
			return plainError(err)
		}
		if err := func() error {
			mu.Lock()
			defer mu.Unlock()
			return page(newPage(out.Items, int64(out.ScannedCount), out.ConsumedCapacity, key))
		}(); err != nil {
			return err
		}
		if len(out.LastEvaluatedKey) == 0 {
			return nil
		}
		in.ExclusiveStartKey = out.LastEvaluatedKey
	}
}

func newPage(items []map[string]types.AttributeValue, scanned int64, used *types.ConsumedCapacity, key []string) Page {
	p := Page{Scanned: scanned}
	for _, item := range items {
		p.Items = append(p.Items, FromSDK(item, key))
	}
	if used != nil {
		p.Units = aws.ToFloat64(used.CapacityUnits)
	}
	return p
}
