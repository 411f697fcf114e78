package steps

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/features/wire"
)

// AddIndex adds a global secondary index that projects all attributes, and waits until it is active.
func (w *World) AddIndex(ctx context.Context, table, index, partition, sort string) error {
	if err := w.StartAddingIndex(ctx, index, partition, sort, table); err != nil {
		return err
	}
	return w.AwaitIndex(ctx, table, index, true)
}

// StartAddingIndex starts to add a global secondary index that projects all attributes, and does not wait.
func (w *World) StartAddingIndex(ctx context.Context, index, partition, sort, table string) error {
	d, err := w.describe(ctx, table)
	if err != nil {
		return err
	}
	definitions := d.AttributeDefinitions
	for _, name := range []string{partition, sort} {
		if !slices.ContainsFunc(definitions, func(a types.AttributeDefinition) bool { return *a.AttributeName == name }) {
			definitions = append(definitions, types.AttributeDefinition{AttributeName: aws.String(name),
				AttributeType: types.ScalarAttributeTypeS})
		}
	}
	_, err = w.Client.UpdateTable(ctx, &dynamodb.UpdateTableInput{
		TableName: w.Table(table), AttributeDefinitions: definitions,
		GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{Create: &types.CreateGlobalSecondaryIndexAction{
			IndexName: &index, Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
			KeySchema: []types.KeySchemaElement{
				{AttributeName: &partition, KeyType: types.KeyTypeHash}, {AttributeName: &sort, KeyType: types.KeyTypeRange},
			},
		}}},
	})
	return err
}

// RemoveIndex deletes a global secondary index and waits until it is gone.
func (w *World) RemoveIndex(ctx context.Context, table, index string) error {
	if err := w.StartRemovingIndex(ctx, table, index); err != nil {
		return err
	}
	return w.AwaitIndex(ctx, table, index, false)
}

// StartRemovingIndex starts to delete a global secondary index, and does not wait.
func (w *World) StartRemovingIndex(ctx context.Context, table, index string) error {
	_, err := w.Client.UpdateTable(ctx, &dynamodb.UpdateTableInput{
		TableName: w.Table(table),
		GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{
			{Delete: &types.DeleteGlobalSecondaryIndexAction{IndexName: &index}},
		},
	})
	return err
}

// AwaitIndex waits until the index is ACTIVE or, if present is false, until it is gone. On AWS this takes minutes.
func (w *World) AwaitIndex(ctx context.Context, table, index string, present bool) error {
	return Await(ctx, 10*time.Minute, func() (bool, error) {
		g, err := w.index(ctx, table, index)
		if err != nil || g == nil {
			return g == nil && !present, err
		}
		return present && g.IndexStatus == types.IndexStatusActive, nil
	})
}

// AwaitIndexEntries waits until an index that projects all attributes has all items of its table that have its keys.
// The service's indexes lag, and most scenarios about lists are not about that.
func (w *World) AwaitIndexEntries(ctx context.Context, table, index string) error {
	d, err := w.index(ctx, table, index)
	if err != nil || d == nil {
		return errors.Join(err, fmt.Errorf("%s has no index %s", table, index))
	}
	keys := strings.Split(keyNames(d.KeySchema), ", ")
	return Await(ctx, time.Minute, func() (bool, error) {
		base, err := w.sortedTexts(ctx, &dynamodb.ScanInput{TableName: w.Table(table), ConsistentRead: aws.Bool(true)}, keys)
		if err != nil {
			return false, err
		}
		entries, err := w.sortedTexts(ctx, &dynamodb.ScanInput{TableName: w.Table(table), IndexName: &index}, keys)
		return slices.Equal(base, entries), err
	})
}

// sortedTexts returns all items of a scan that have these attributes, as sorted text.
func (w *World) sortedTexts(ctx context.Context, in *dynamodb.ScanInput, with []string) ([]string, error) {
	items, err := w.scan(ctx, in)
	texts := make([]string, 0, len(items))
	for _, item := range items {
		if !slices.ContainsFunc(with, func(name string) bool { return item[name] == nil }) {
			texts = append(texts, wire.Value(&types.AttributeValueMemberM{Value: item}))
		}
	}
	slices.Sort(texts)
	return texts, err
}

func (w *World) indexSteps() Group {
	return Group{Title: "Changing tables", Steps: []Step{
		{`^the index "([^"]*)" on "(\w+), (\w+)" is added to "([^"]*)"$`,
			func(ctx context.Context, index, partition, sort, table string) error {
				return w.AddIndex(ctx, table, index, partition, sort)
			}, `the index "by-state" on "state, number" is added to "orders"`, "Adds a global secondary index that projects all attributes, and waits until it is active. New key attributes are strings."},
		{`^the index "([^"]*)" of "([^"]*)" is removed$`, func(ctx context.Context, index, table string) error {
			return w.RemoveIndex(ctx, table, index)
		}, `the index "by-state" of "orders" is removed`, "Removes it and waits until it is gone."},
	}}
}
