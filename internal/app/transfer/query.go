package transfer

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/internal/model/condition"
)

// ErrStop is returned by a function that takes pages and needs no more of them.
var ErrStop = errors.New("no more pages are needed")

// withoutStop returns nil for ErrStop.
func withoutStop(err error) error {
	if errors.Is(err, ErrStop) {
		return nil
	}
	return err
}

// Statement runs a statement of PartiQL and calls page for each page of its items.
func Statement(ctx context.Context, db *dynamodb.Client, text string, consistent bool, page func(Page) error) error {
	in := dynamodb.ExecuteStatementInput{Statement: &text, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal}
	if consistent {
		in.ConsistentRead = aws.Bool(true)
	}
	for {
		out, err := db.ExecuteStatement(ctx, &in)
		if err != nil {
			return plainError(err)
		}
		if err := page(newPage(out.Items, int64(len(out.Items)), out.ConsumedCapacity, nil)); err != nil {
			return withoutStop(err)
		}
		if out.NextToken == nil {
			return nil
		}
		in.NextToken = out.NextToken
	}
}

// QueryOptions holds which items of a table or index to read.
type QueryOptions struct {
	Table, Index string
	Key          []string // attributes that come first in each item
	Condition    string   // of the key; this and the next two in the language of ScanOptions
	Filter       string
	Projection   string
	Descending   bool
	Consistent   bool
	Limit        int // items to read at most; 0: all
}

// Query reads the items of a partition, and calls page for each page.
func Query(ctx context.Context, db *dynamodb.Client, o QueryOptions, page func(Page) error) error {
	in := dynamodb.QueryInput{TableName: &o.Table, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		ScanIndexForward: aws.Bool(!o.Descending), ConsistentRead: aws.Bool(o.Consistent)}
	if o.Index != "" {
		in.IndexName = &o.Index
	}
	if o.Limit > 0 && o.Filter == "" { // a limit counts items before the filter
		in.Limit = aws.Int32(int32(o.Limit))
	}
	if err := o.expressions(&in); err != nil {
		return err
	}
	for {
		out, err := db.Query(ctx, &in)
		if err != nil {
			return plainError(err)
		}
		if err := page(newPage(out.Items, int64(out.ScannedCount), out.ConsumedCapacity, o.Key)); err != nil {
			return withoutStop(err)
		}
		if len(out.LastEvaluatedKey) == 0 {
			return nil
		}
		in.ExclusiveStartKey = out.LastEvaluatedKey
	}
}

func (o *QueryOptions) expressions(in *dynamodb.QueryInput) (err error) {
	var e condition.Expressions
	if in.KeyConditionExpression, err = e.Condition(o.Condition); err != nil {
		return err
	}
	if in.FilterExpression, err = e.Condition(o.Filter); err != nil {
		return err
	}
	in.ProjectionExpression, err = e.Condition(o.Projection)
	in.ExpressionAttributeNames, in.ExpressionAttributeValues = e.Names, e.Values
	return err
}
