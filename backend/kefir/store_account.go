package kefir

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
)

// readPartition reads a whole partition consistently, page by page.
func (s *store) readPartition(ctx context.Context, pk string, page func([]ddb.Item) error) error {
	return ddb.QueryAll(ctx, s.client, s.partitionQuery(pk), page)
}

// readPage reads one page of a partition, up to 1 MB, consistently.
func (s *store) readPage(ctx context.Context, pk string, after ddb.Key) ([]ddb.Item, ddb.Key, error) {
	return ddb.Query(ctx, s.client, s.partitionQuery(pk), 0, after)
}

func (s *store) partitionQuery(pk string) *dynamodb.QueryInput {
	return ddb.Where(&dynamodb.QueryInput{TableName: s.table, ConsistentRead: aws.Bool(true)}, keyEquals("PK", pk))
}

// deletePartition deletes a whole partition.
func (s *store) deletePartition(ctx context.Context, pk string) error {
	return s.readPartition(ctx, pk, func(items []ddb.Item) error { return s.deleteItems(ctx, items) })
}

// deleteItems deletes items, 25 per request (KF-R9).
func (s *store) deleteItems(ctx context.Context, items []ddb.Item) error {
	writes := make([]types.WriteRequest, 0, len(items))
	for _, in := range items {
		writes = append(writes, ddb.Delete(ddb.Item{"PK": in["PK"], "SK": in["SK"]}))
	}
	return ddb.WriteAll(ctx, s.client, *s.table, writes, s.wait)
}
