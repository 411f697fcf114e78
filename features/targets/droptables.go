package targets

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
)

// dropTables deletes every table with the target's prefix. It is the last cleanup of a run, also after a failure.
func dropTables(t *Target) error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	c := t.DynamoDB()
	names, err := tablesWithPrefix(ctx, c, t.TablePrefix)
	var denied smithy.APIError
	if errors.As(err, &denied) && denied.ErrorCode() == "AccessDeniedException" {
		return nil // a caller that may not list tables is a service with tables of its own; it creates none
	}
	if err != nil {
		return fmt.Errorf("cannot list tables to remove %s*: delete them manually (%w)", t.TablePrefix, err)
	}
	var errs []error
	for _, name := range names {
		errs = append(errs, dropTable(ctx, c, name))
	}
	return errors.Join(errs...)
}

func tablesWithPrefix(ctx context.Context, c *dynamodb.Client, prefix string) ([]string, error) {
	var names []string
	// Table names are listed in order, so the list can start just before the prefix.
	in := &dynamodb.ListTablesInput{ExclusiveStartTableName: aws.String(prefix)}
	pages := dynamodb.NewListTablesPaginator(c, in)
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		for _, name := range page.TableNames {
			if !strings.HasPrefix(name, prefix) {
				return names, nil
			}
			names = append(names, name)
		}
	}
	return names, nil
}

func dropTable(ctx context.Context, c *dynamodb.Client, name string) error {
	_, err := c.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: &name})
	var gone *types.ResourceNotFoundException
	var deleting *types.ResourceInUseException
	if err == nil || errors.As(err, &gone) || errors.As(err, &deleting) {
		return nil
	}
	return fmt.Errorf("table %s was not deleted: delete it manually (%w)", name, err)
}
