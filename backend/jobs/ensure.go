package jobs

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/tables"
)

// Ensure creates the jobs table if it does not exist. It checks with GetItem, which a job's role may call anyway.
func Ensure(ctx context.Context, client *dynamodb.Client, prefix string) error {
	r := New(Config{Client: client, TablePrefix: prefix})
	_, err := r.latest(ctx, "none")
	if !errors.Is(err, ddb.ErrNoTables) {
		return err
	}
	err = tables.Create(ctx, client, Schema(prefix).Tables)
	var refused smithy.APIError
	if errors.As(err, &refused) && refused.ErrorCode() == "AccessDeniedException" {
		return fmt.Errorf(
			"table %s is missing, and this role may not create it: ask an administrator to run tabletop job table", prefix+Table)
	}
	return err
}
