package traffic

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/loadtest/profile"
)

// Database is the database in which a profile of a table creates its table.
type Database struct {
	AWS    aws.Config // with endpoint, region and credentials
	Prefix string     // prefix of the table's name
}

// tableUnits is the capacity of the table, in read and write units per second: the default quota per table of an AWS
// account.
const tableUnits = 40_000

// tableWait is how long to wait for a table to become active.
const tableWait = 5 * time.Minute

// Prepare creates the table and the items to read.
func (t *table) Prepare(ctx context.Context, done func(done, total int)) error {
	if err := t.create(ctx); err != nil {
		return fmt.Errorf("cannot create the table of the profile: %w", err)
	}
	t.created = true
	if err := t.fill(ctx, done); err != nil {
		return fmt.Errorf("cannot fill the table: %w", err)
	}
	return nil
}

// Close deletes the table, even after the context ended.
func (t *table) Close(ctx context.Context) error {
	if !t.created {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	_, err := t.client.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: &t.name})
	return err
}

// WrapTransport reads the responses before the attacker does.
func (t *table) WrapTransport(base http.RoundTripper) http.RoundTripper {
	t.transport = &tableTransport{base: base, meter: t.config.Meter, table: t.name, key: []byte(`"` + t.key[0] + `":`)}
	return t.transport
}

// Observe returns how many items of batches were unprocessed.
func (t *table) Observe(_ context.Context, o *Observations) error {
	o.Unprocessed = t.transport.unprocessed.Load()
	return nil
}

// create creates the table with the maximum capacity.
func (t *table) create(ctx context.Context) error {
	in, err := t.definition()
	if err != nil {
		return err
	}
	if _, err := t.client.CreateTable(ctx, in); err != nil {
		return err
	}
	return dynamodb.NewTableExistsWaiter(t.client, func(o *dynamodb.TableExistsWaiterOptions) {
		o.MinDelay = time.Second
	}).
		Wait(ctx, &dynamodb.DescribeTableInput{TableName: &t.name}, tableWait)
}

// definition returns the definition of a table of its own, or of one like a system's: on demand like the original, with
// the warm throughput of a table in long use.
func (t *table) definition() (*dynamodb.CreateTableInput, error) {
	schema := t.config.Profile.Table.Schema
	if schema == "" {
		return &dynamodb.CreateTableInput{
			TableName: &t.name,
			AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("id"),
				AttributeType: types.ScalarAttributeTypeS}},
			KeySchema:   []types.KeySchemaElement{{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash}},
			BillingMode: types.BillingModeProvisioned,
			ProvisionedThroughput: &types.ProvisionedThroughput{
				ReadCapacityUnits: aws.Int64(tableUnits), WriteCapacityUnits: aws.Int64(tableUnits),
			},
		}, nil
	}
	systems, err := backend.ChooseDynamoDB(schema)
	if err != nil {
		return nil, err
	}
	in := *systems[0].Schema("").Tables[0].Create
	in.TableName = &t.name
	in.WarmThroughput = &types.WarmThroughput{ReadUnitsPerSecond: aws.Int64(tableUnits),
		WriteUnitsPerSecond: aws.Int64(tableUnits)}
	return &in, nil
}

// fill puts the items to read.
func (t *table) fill(ctx context.Context, done func(done, total int)) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(setupConcurrency)
	var mu sync.Mutex
	filled := 0
	for from := 0; from < t.items; from += profile.MaxPuts {
		g.Go(func() error {
			n := min(profile.MaxPuts, t.items-from)
			if err := t.putAll(ctx, from, n); err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			filled += n
			done(filled, t.items)
			return nil
		})
	}
	return g.Wait()
}

// putAll puts n items and repeats those that the database did not process.
func (t *table) putAll(ctx context.Context, from, n int) error {
	var requests []types.WriteRequest
	for i := from; i < from+n; i++ {
		requests = append(requests, types.WriteRequest{PutRequest: &types.PutRequest{Item: t.shape.item(readKey(i),
			t.pad[:t.bytes-t.shape.bytes])}})
	}
	for len(requests) > 0 {
		out, err := t.client.BatchWriteItem(ctx,
			&dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{t.name: requests}})
		if err != nil {
			return err
		}
		requests = out.UnprocessedItems[t.name]
	}
	return nil
}
