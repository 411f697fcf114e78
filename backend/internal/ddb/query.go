package ddb

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// Key is the primary key of an item, or the key of an index entry; all of its attributes are strings.
type Key = map[string]string

// Querier is the part of a DynamoDB client that queries.
type Querier interface {
	Query(context.Context, *dynamodb.QueryInput, ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error)
}

// Query reads one page of at most limit items (0: as many as fit into 1 MB) after a key. last is the key to continue
// after; it is empty after the last page. The page that it leads to may be empty.
func Query(ctx context.Context, client Querier, in *dynamodb.QueryInput, limit int, after Key) (items []Item,
	last Key, err error) {
	if limit > 0 {
		in.Limit = aws.Int32(int32(limit))
	}
	in.ExclusiveStartKey = nil
	if len(after) > 0 {
		in.ExclusiveStartKey = make(Item, len(after))
		for name, value := range after {
			in.ExclusiveStartKey[name] = Str(value)
		}
	}
	out, err := client.Query(ctx, in)
	if err != nil {
		return nil, nil, MapError(err)
	}
	last = make(Key, len(out.LastEvaluatedKey))
	for name, value := range out.LastEvaluatedKey {
		last[name] = Text(value)
	}
	return out.Items, last, nil
}

// QueryAll passes every page to page, in order, until the last one or until page returns an error.
func QueryAll(ctx context.Context, client Querier, in *dynamodb.QueryInput, page func([]Item) error) error {
	for after := Key(nil); ; {
		items, last, err := Query(ctx, client, in, 0, after)
		if err != nil {
			return err
		}
		if err := page(items); err != nil || len(last) == 0 {
			return err
		}
		after = last
	}
}
