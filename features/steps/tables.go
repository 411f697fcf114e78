package steps

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/features/targets"
)

func (w *World) tableSteps() Group {
	return Group{Title: "Table settings", Steps: []Step{
		{`^there are the tables "([^"]*)" and no other$`, w.onlyTables, `there are the tables "orders, stock" and no other`,
			"These are all tables of the scenario, in any order."},
		{`^table "([^"]*)" has the key "([^"]*)"$`, w.hasKey, `table "orders" has the key "customer, number"`,
			"Its partition key and, if there is one, its sort key."},
		{`^table "([^"]*)" has the index "([^"]*)" on "([^"]*)" with every attribute$`, w.hasIndex,
			`table "orders" has the index "by-state" on "state, number" with every attribute`,
			"It has a global secondary index with this key, which projects all attributes."},
		{`^table "([^"]*)" has (no|\d+) index(?:es)?$`, w.hasIndexes, `table "orders" has 1 index`,
			"The number of global and local secondary indexes."},
		{`^"([^"]*)" is (CREATING|UPDATING|DELETING|ACTIVE)$`, w.hasStatus, `"orders" is ACTIVE`,
			"The table has this status."},
		{`^items of table "([^"]*)" expire by "([^"]*)"$`, w.expireBy, `items of table "orders" expire by "until"`,
			"Time to live is enabled on this attribute."},
		{`^items of table "([^"]*)" never expire$`, func(ctx context.Context, table string) error {
			return w.expireBy(ctx, table, "")
		}, `items of table "orders" never expire`, "Time to live is disabled."},
		{`^the invariants of the file "([^"]*)" hold$`, w.invariantsHold,
			`the invariants of the file "invariants.yaml" hold`,
			"Checks the scenario's tables by a file of [invariants](invariants.md) in the folder of the features."},
	}}
}

func (w *World) hasStatus(ctx context.Context, table, status string) error {
	d, err := w.describe(ctx, table)
	if err != nil {
		return err
	}
	return equal(string(d.TableStatus), status)
}

// Table returns the full name of a table of the scenario.
func (w *World) Table(name string) *string { return aws.String(w.Prefix + name) }

func (w *World) describe(ctx context.Context, table string) (*types.TableDescription, error) {
	out, err := w.Client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: w.Table(table)})
	if err != nil {
		return nil, err
	}
	return out.Table, nil
}

// tables lists the scenario's tables without their prefix.
func (w *World) tables(ctx context.Context) ([]string, error) {
	var names []string
	pages := dynamodb.NewListTablesPaginator(w.Client, &dynamodb.ListTablesInput{
		ExclusiveStartTableName: aws.String(w.Prefix), // the list is sorted by name
	})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		for _, full := range page.TableNames {
			name, ours := strings.CutPrefix(full, w.Prefix)
			if !ours {
				return names, nil
			}
			names = append(names, name)
		}
	}
	return names, nil
}

func (w *World) dropTables(ctx context.Context) error {
	if _, ok := w.Target.Supports(targets.DynamoDB); !ok {
		return nil
	}
	names, err := w.tables(ctx)
	errs := []error{err}
	for _, name := range names {
		_, err := w.Client.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: w.Table(name)})
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

func (w *World) onlyTables(ctx context.Context, list string) error {
	got, err := w.tables(ctx)
	if err != nil {
		return err
	}
	want := strings.Split(list, ", ")
	slices.Sort(want)
	slices.Sort(got)
	return equal(strings.Join(got, ", "), strings.Join(want, ", "))
}

func (w *World) hasKey(ctx context.Context, table, key string) error {
	d, err := w.describe(ctx, table)
	if err != nil {
		return err
	}
	return equal(keyNames(d.KeySchema), key)
}

func (w *World) hasIndex(ctx context.Context, table, index, key string) error {
	g, err := w.index(ctx, table, index)
	if err != nil {
		return err
	}
	if g == nil {
		return fmt.Errorf("table %s has no index %s", table, index)
	}
	return equal(keyNames(g.KeySchema)+", projecting "+string(g.Projection.ProjectionType), key+", projecting ALL")
}

// index returns the description of an index, or nil if the table has none with this name.
func (w *World) index(ctx context.Context, table, index string) (*types.GlobalSecondaryIndexDescription, error) {
	d, err := w.describe(ctx, table)
	if err != nil {
		return nil, err
	}
	for _, g := range d.GlobalSecondaryIndexes {
		if aws.ToString(g.IndexName) == index {
			return &g, nil
		}
	}
	return nil, nil
}

func (w *World) hasIndexes(ctx context.Context, table, count string) error {
	d, err := w.describe(ctx, table)
	if err != nil {
		return err
	}
	return equal(len(d.GlobalSecondaryIndexes)+len(d.LocalSecondaryIndexes), Count(count))
}

func (w *World) expireBy(ctx context.Context, table, attribute string) error {
	out, err := w.Client.DescribeTimeToLive(ctx, &dynamodb.DescribeTimeToLiveInput{TableName: w.Table(table)})
	if err != nil {
		return err
	}
	got := ""
	switch d := out.TimeToLiveDescription; d.TimeToLiveStatus {
	case types.TimeToLiveStatusEnabled, types.TimeToLiveStatusEnabling:
		got = aws.ToString(d.AttributeName)
	}
	return equal(got, attribute)
}

func keyNames(schema []types.KeySchemaElement) string {
	names := make([]string, len(schema))
	for i, k := range schema {
		names[i] = aws.ToString(k.AttributeName)
	}
	return strings.Join(names, ", ")
}
