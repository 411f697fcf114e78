package jobs

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/tables"
)

// Ensure makes the jobs' table where there is none. It looks with a read of an item, which a job's role may do anyway.
func Ensure(ctx context.Context, client *dynamodb.Client, prefix string) error {
	r := New(Config{Client: client, TablePrefix: prefix})
	_, err := r.latest(ctx, "none")
	if errors.Is(err, ddb.ErrNoTables) {
		err = tables.Create(ctx, client, Schema(prefix).Tables)
	}
	return err
}
