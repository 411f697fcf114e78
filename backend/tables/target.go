package tables

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"
)

// A table becomes ACTIVE in milliseconds on the emulator and in about ten seconds on AWS: poll quickly, then slow down.
const (
	minPoll     = 10 * time.Millisecond
	maxPoll     = 2 * time.Second
	waitTimeout = 5 * time.Minute
)

// Description describes a table as a target reports it.
type Description struct {
	Name         string   `json:"name"`
	Status       string   `json:"status"` // such as ACTIVE; Missing when the target has no such table
	Items        int64    `json:"items"`  // the target's latest count, on AWS up to six hours old
	Bytes        int64    `json:"bytes"`  // the target's latest size, on AWS up to six hours old
	Indexes      []string `json:"indexes"`
	TTLAttribute string   `json:"ttl,omitempty"` // empty unless TTL is enabled
}

// Missing is the status of a table that the target does not have.
const Missing = "MISSING"

// Create creates every table, waits until all are ACTIVE and enables their TTL. An existing table is kept if it has the
// same keys and indexes. Errors: an existing table differs, and is left unchanged.
func Create(ctx context.Context, client *dynamodb.Client, all []Table) error {
	return each(ctx, all, func(ctx context.Context, t Table) error { return create(ctx, client, t) })
}

// Describe describes every table, in the order given; a table that does not exist has the status Missing.
func Describe(ctx context.Context, client *dynamodb.Client, all []Table) ([]Description, error) {
	out := make([]Description, len(all))
	for i, t := range all {
		d, err := describe(ctx, client, t)
		if err != nil {
			return nil, fmt.Errorf("table %s: %w", t.Name(), err)
		}
		out[i] = d
	}
	return out, nil
}

// Drop deletes every table and waits until all are gone. It ignores tables that do not exist.
func Drop(ctx context.Context, client *dynamodb.Client, all []Table) error {
	return each(ctx, all, func(ctx context.Context, t Table) error { return drop(ctx, client, t) })
}

func each(ctx context.Context, all []Table, do func(context.Context, Table) error) error {
	group, ctx := errgroup.WithContext(ctx)
	for _, t := range all {
		group.Go(func() error {
			if err := do(ctx, t); err != nil {
				return fmt.Errorf("table %s: %w", t.Name(), err)
			}
			return nil
		})
	}
	return group.Wait()
}

func create(ctx context.Context, client *dynamodb.Client, t Table) error {
	var exists *types.ResourceInUseException
	_, err := client.CreateTable(ctx, t.Create)
	if err != nil && !errors.As(err, &exists) {
		return err
	}
	out, err := dynamodb.NewTableExistsWaiter(client, func(o *dynamodb.TableExistsWaiterOptions) {
		o.MinDelay, o.MaxDelay = minPoll, maxPoll
	}).WaitForOutput(ctx, &dynamodb.DescribeTableInput{TableName: t.Create.TableName}, waitTimeout)
	if err != nil {
		return err
	}
	if exists != nil {
		if err := canServe(shapeOf(t), existingShape(t, out.Table)); err != nil {
			return fmt.Errorf("already exists, but differs from the schema: %w; choose another prefix or drop it", err)
		}
	}
	return enableTTL(ctx, client, t)
}

// canServe returns nil if an existing table can serve the documented one: additional indexes are fine, missing ones are
// not.
func canServe(want, have shape) error {
	if err := compatible(want, have); err != nil {
		return err
	}
	for _, index := range want.Indexes {
		if !slices.Contains(have.Indexes, index) {
			return fmt.Errorf("index %s is missing", index.Name)
		}
	}
	return nil
}

// existingShape returns the shape of an existing table, taking from the document what a target cannot report.
func existingShape(t Table, d *types.TableDescription) shape {
	in := *t.Create
	in.AttributeDefinitions, in.KeySchema, in.GlobalSecondaryIndexes = d.AttributeDefinitions, d.KeySchema, nil
	for _, g := range d.GlobalSecondaryIndexes {
		in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, types.GlobalSecondaryIndex{
			IndexName: g.IndexName, KeySchema: g.KeySchema, Projection: g.Projection,
		})
	}
	t.Create = &in
	return shapeOf(t)
}

func enableTTL(ctx context.Context, client *dynamodb.Client, t Table) error {
	if t.TTLAttribute == "" {
		return nil
	}
	current, err := ttlAttribute(ctx, client, t)
	if err != nil || current == t.TTLAttribute {
		return err // the service refuses to enable it twice
	}
	_, err = client.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{
		TableName: t.Create.TableName,
		TimeToLiveSpecification: &types.TimeToLiveSpecification{
			AttributeName: aws.String(t.TTLAttribute), Enabled: aws.Bool(true),
		},
	})
	return err
}

func ttlAttribute(ctx context.Context, client *dynamodb.Client, t Table) (string, error) {
	out, err := client.DescribeTimeToLive(ctx, &dynamodb.DescribeTimeToLiveInput{TableName: t.Create.TableName})
	if err != nil {
		return "", err
	}
	switch d := out.TimeToLiveDescription; d.TimeToLiveStatus {
	case types.TimeToLiveStatusEnabled, types.TimeToLiveStatusEnabling:
		return aws.ToString(d.AttributeName), nil
	default:
		return "", nil
	}
}

func describe(ctx context.Context, client *dynamodb.Client, t Table) (Description, error) {
	out, err := client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: t.Create.TableName})
	var missing *types.ResourceNotFoundException
	if errors.As(err, &missing) {
		return Description{Name: t.Name(), Status: Missing}, nil
	}
	if err != nil {
		return Description{}, err
	}
	d := Description{
		Name: t.Name(), Status: string(out.Table.TableStatus),
		Items: aws.ToInt64(out.Table.ItemCount), Bytes: aws.ToInt64(out.Table.TableSizeBytes),
	}
	for _, g := range out.Table.GlobalSecondaryIndexes {
		d.Indexes = append(d.Indexes, aws.ToString(g.IndexName))
	}
	slices.Sort(d.Indexes)
	d.TTLAttribute, err = ttlAttribute(ctx, client, t)
	return d, err
}

func drop(ctx context.Context, client *dynamodb.Client, t Table) error {
	_, err := client.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: t.Create.TableName})
	var missing *types.ResourceNotFoundException
	if errors.As(err, &missing) {
		return nil
	}
	if err != nil {
		return err
	}
	return dynamodb.NewTableNotExistsWaiter(client, func(o *dynamodb.TableNotExistsWaiterOptions) {
		o.MinDelay, o.MaxDelay = minPoll, maxPoll
	}).Wait(ctx, &dynamodb.DescribeTableInput{TableName: t.Create.TableName}, waitTimeout)
}
