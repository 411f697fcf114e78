package loadtest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"
)

// Database is where a profile of a table makes its table.
type Database struct {
	AWS    aws.Config // with endpoint, region and credentials
	Prefix string     // begins the table's name
}

// tableUnits is the capacity of the table, read and write units a second: what an account gives a table at first.
const tableUnits = 40_000

// tableWait is how long a table may take to become active.
const tableWait = 5 * time.Minute

// runOnTable makes a table and its items, attacks it, and drops it.
func (c Config) runOnTable(ctx context.Context) (r *Report, err error) {
	client := dynamodb.NewFromConfig(c.Database.AWS)
	table := c.Database.Prefix + "load-" + strings.ToLower(c.Profile.ID)
	if err := createTable(ctx, client, table); err != nil {
		return nil, fmt.Errorf("the table of the profile cannot be made: %w", err)
	}
	defer func() {
		drop, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		_, dropErr := client.DeleteTable(drop, &dynamodb.DeleteTableInput{TableName: &table})
		err = errors.Join(err, dropErr)
	}()
	t := newTableTraffic(c, table)
	if err := t.fill(ctx, client, c.preparing()); err != nil {
		return nil, fmt.Errorf("the table cannot be filled: %w", err)
	}
	r = &Report{Profile: c.Profile, Target: c.Target, Started: time.Now().UTC().Truncate(time.Millisecond), Seed: c.Seed}
	attackers := httpClient(maxWorkers)
	attackers.Transport.(*http.Transport).DisableCompression = true // as AWS's SDKs ask by default
	defer attackers.CloseIdleConnections()
	link := &tableLink{base: attackers.Transport, meter: c.Meter, table: table}
	attackers.Transport = link
	c.attack(ctx, attackers, t.targeter, r)
	r.Unprocessed = link.unprocessed.Load()
	r.Cost, err = r.price()
	return r, err
}

// createTable makes the table with the whole capacity that it may have.
func createTable(ctx context.Context, client *dynamodb.Client, name string) error {
	_, err := client.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName:            &name,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("id"), AttributeType: types.ScalarAttributeTypeS}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash}},
		BillingMode:          types.BillingModeProvisioned,
		ProvisionedThroughput: &types.ProvisionedThroughput{
			ReadCapacityUnits: aws.Int64(tableUnits), WriteCapacityUnits: aws.Int64(tableUnits),
		},
	})
	if err != nil {
		return err
	}
	return dynamodb.NewTableExistsWaiter(client, func(o *dynamodb.TableExistsWaiterOptions) { o.MinDelay = time.Second }).
		Wait(ctx, &dynamodb.DescribeTableInput{TableName: &name}, tableWait)
}

// fill puts the items that are read.
func (t *tableTraffic) fill(ctx context.Context, client *dynamodb.Client, done func(done, total int)) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(builders)
	var mu sync.Mutex
	filled := 0
	for from := 0; from < t.items; from += maxPuts {
		g.Go(func() error {
			n := min(maxPuts, t.items-from)
			if err := t.putAll(ctx, client, from, n); err != nil {
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

// putAll puts n items and again those that the database had no room for.
func (t *tableTraffic) putAll(ctx context.Context, client *dynamodb.Client, from, n int) error {
	var requests []types.WriteRequest
	for i := from; i < from+n; i++ {
		requests = append(requests, types.WriteRequest{PutRequest: &types.PutRequest{Item: map[string]types.AttributeValue{
			"id":  &types.AttributeValueMemberS{Value: readKey(i)},
			"pad": &types.AttributeValueMemberS{Value: t.pad[:t.bytes-keyBytes]},
		}}})
	}
	for len(requests) > 0 {
		out, err := client.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{t.table: requests}})
		if err != nil {
			return err
		}
		requests = out.UnprocessedItems[t.table]
	}
	return nil
}
