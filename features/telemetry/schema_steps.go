package telemetry

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/backend/tables"
	schema "github.com/tabletop-db/tabletop/backend/telemetry"
	"github.com/tabletop-db/tabletop/features/steps"
)

func (w *world) schema(sc *godog.ScenarioContext) {
	sc.Step(`^the tables are created again$`, func(ctx context.Context) {
		w.Err = tables.Create(ctx, w.Client, schema.Schema(w.Prefix).Tables)
	})
	sc.Step(`^that is refused because a table differs from the schema$`, func() error {
		if w.Err == nil || !strings.Contains(w.Err.Error(), "differs from the schema") {
			return fmt.Errorf("the result is %v", w.Err)
		}
		return nil
	})
	sc.Step(`^the table "([^"]*)" is recreated with the key "([^"]*)"$`, w.recreateTable)
	sc.Step(`^the index "([^"]*)" on "(\w+), (\w+)" is added to "([^"]*)" while "([^"]*)" keeps delivering$`,
		w.addUnderLoad)
	sc.Step(`^the index "([^"]*)" of "([^"]*)" is removed while "([^"]*)" keeps delivering$`, w.removeUnderLoad)
	sc.Step(`^everything that was delivered meanwhile is stored$`, w.meanwhileStored)
	sc.Step(`^the index "([^"]*)" of "([^"]*)" has every reading$`, w.indexHasAll)
}

func (w *world) recreateTable(ctx context.Context, table, key string) error {
	name := w.Table(table)
	if _, err := w.Client.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: name}); err != nil {
		return err
	}
	waiter := dynamodb.NewTableNotExistsWaiter(w.Client, func(o *dynamodb.TableNotExistsWaiterOptions) {
		o.MinDelay = 20 * time.Millisecond
	})
	if err := waiter.Wait(ctx, &dynamodb.DescribeTableInput{TableName: name}, time.Minute); err != nil {
		return err
	}
	return tables.Create(ctx, w.Client, []tables.Table{{Create: &dynamodb.CreateTableInput{
		TableName: name, BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: &key, AttributeType: types.ScalarAttributeTypeS}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: &key, KeyType: types.KeyTypeHash}},
	}}})
}

func (w *world) addUnderLoad(ctx context.Context, index, partition, sort, table, device string) error {
	return w.whileDelivering(ctx, device, func() error { return w.AddIndex(ctx, table, index, partition, sort) })
}

func (w *world) removeUnderLoad(ctx context.Context, index, table, device string) error {
	return w.whileDelivering(ctx, device, func() error { return w.RemoveIndex(ctx, table, index) })
}

// whileDelivering makes the device deliver ten readings at a time, at least twice, until do returns. It keeps every
// response.
func (w *world) whileDelivering(ctx context.Context, name string, do func() error) error {
	d := w.device(name)
	key, err := w.fleetKey(ctx)
	if err != nil {
		return err
	}
	w.Responses = nil
	var done atomic.Bool
	var sender sync.WaitGroup
	sender.Go(func() {
		for n := 0; n < 2 || !done.Load(); n++ {
			batch := w.next(d, 10)
			w.Responses = append(w.Responses, w.Send(ctx, key, http.MethodPost, "/readings", body(batch)))
		}
	})
	err = do()
	done.Store(true)
	sender.Wait()
	return err
}

// next returns n readings, each a second after the device's last one.
func (w *world) next(d *device, n int) []reading {
	from := len(d.sent)
	for range n {
		d.sent = append(d.sent, d.reading(w.Clock.Now().Add(time.Duration(len(d.sent))*time.Second)))
	}
	return d.sent[from:]
}

func (w *world) meanwhileStored(ctx context.Context) error {
	got, err := total(w.Responses)
	if err == nil && got.Stored != 10*len(w.Responses) {
		err = fmt.Errorf("%d of %d are", got.Stored, 10*len(w.Responses))
	}
	items, scan := w.Items(ctx, "device_readings")
	if scan == nil && len(items) != len(w.current.sent) {
		scan = fmt.Errorf("%d are there of %d", len(items), len(w.current.sent))
	}
	return errors.Join(err, scan)
}

// indexHasAll waits until an index has all items of its table.
func (w *world) indexHasAll(ctx context.Context, index, table string) error {
	in := &dynamodb.QueryInput{
		TableName: w.Table(table), IndexName: &index, KeyConditionExpression: aws.String("boot_id = :boot"),
		ExpressionAttributeValues: steps.Item{":boot": text(w.current.bootID)},
	}
	return steps.Await(ctx, time.Minute, func() (bool, error) {
		found := 0
		pages := dynamodb.NewQueryPaginator(w.Client, in)
		for pages.HasMorePages() {
			page, err := pages.NextPage(ctx)
			if err != nil {
				return false, err
			}
			found += len(page.Items)
		}
		return found == len(w.current.sent), nil
	})
}
