package kefir

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
)

// partition reads a whole partition consistently, page by page.
func (s *store) partition(ctx context.Context, pk string, page func([]ddb.Item) error) error {
	return ddb.QueryAll(ctx, s.client, s.all(pk), page)
}

// page reads one page of a partition, up to 1 MB, consistently.
func (s *store) page(ctx context.Context, pk string, after ddb.Key) ([]ddb.Item, ddb.Key, error) {
	return ddb.Query(ctx, s.client, s.all(pk), 0, after)
}

func (s *store) all(pk string) *dynamodb.QueryInput {
	return ddb.Where(&dynamodb.QueryInput{TableName: s.table, ConsistentRead: aws.Bool(true)}, equals("PK", pk))
}

// clear deletes a whole partition.
func (s *store) clear(ctx context.Context, pk string) error {
	return s.partition(ctx, pk, func(items []ddb.Item) error { return s.remove(ctx, items) })
}

// remove deletes items, 25 per request (KF-R9).
func (s *store) remove(ctx context.Context, items []ddb.Item) error {
	writes := make([]types.WriteRequest, 0, len(items))
	for _, in := range items {
		writes = append(writes, ddb.Delete(ddb.Item{"PK": in["PK"], "SK": in["SK"]}))
	}
	return ddb.WriteAll(ctx, s.client, *s.table, writes, s.wait)
}
