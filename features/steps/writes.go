package steps

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cucumber/godog"
)

func (w *World) writeSteps() Group {
	return Group{Title: "Writes", Intro: "Items and keys are JSON. {now}, {seconds in 30 days} and whatever a step gave a name to are filled in.", Steps: []Step{
		{`^the item (\{.*\}) is put into "([^"]*)"$`, func(ctx context.Context, item, table string) error { return w.Put(ctx, item, table, "") }, `the item {"id": "7", "total": 12.5} is put into "orders"`, "Puts it, whatever was there."},
		{`^the item (\{.*\}) is put into "([^"]*)" only if "([^"]*)"$`, w.Put, `the item {"id": "7"} is put into "orders" only if "attribute_not_exists(id)"`, "Puts it under a condition."},
		{`^the item (\{.*\}) of "([^"]*)" is deleted$`, w.remove, `the item {"id": "7"} of "orders" is deleted`, "Deletes the item with that key, if there is one."},
		{`^these items are put into "([^"]*)":$`, w.putAll, `these items are put into "orders":`, "One after the other; the first refusal ends the scenario. The first row of the table below names attributes. A cell is JSON where it is some (12, true, [1, 2]) and otherwise text; 'in single quotes' it is text in any case, and empty it is no attribute."},
	}}
}

// Put puts an item that is written as JSON, with a condition unless it is empty. The result is in Reply.
func (w *World) Put(ctx context.Context, text, table, condition string) error {
	item, err := w.ItemOf(text)
	if err != nil {
		return err
	}
	r := &request{table: w.Table(table), want: want{item: item}}
	if condition != "" {
		if condition, err = w.Fill(condition); err != nil {
			return err
		}
		if r.condition, err = r.part(&condition); err != nil {
			return err
		}
	}
	w.Reply = r.put(ctx, w.Once)
	return nil
}

func (w *World) remove(ctx context.Context, text, table string) error {
	key, err := w.ItemOf(text)
	if err != nil {
		return err
	}
	w.Reply = (&request{table: w.Table(table), keys: key}).delete(ctx, w.Once)
	return nil
}

func (w *World) putAll(ctx context.Context, table string, rows *godog.Table) error {
	items, err := w.itemsOf(rows)
	if err != nil {
		return err
	}
	for _, item := range items {
		w.Reply = (&request{table: w.Table(table), want: want{item: item}}).put(ctx, w.Once)
		if w.Err != nil {
			return w.Err
		}
	}
	return nil
}

func (w *World) readSteps() Group {
	read := func(consistently bool) func(context.Context, string, string) error {
		return func(ctx context.Context, key, table string) error { return w.Read(ctx, key, table, consistently) }
	}
	return Group{Title: "Reads", Steps: []Step{
		{`^the item (\{.*\}) of "([^"]*)" is read$`, read(false), `the item {"id": "7"} of "orders" is read`, "By its key, eventually consistently."},
		{`^the item (\{.*\}) of "([^"]*)" is read consistently$`, read(true), `the item {"id": "7"} of "orders" is read consistently`, "By its key, consistently."},
		{`^the item (\{.*\}) of "([^"]*)" is read in a transaction$`, w.readInTransaction, `the item {"id": "7"} of "orders" is read in a transaction`, "By TransactGetItems."},
		{`^the item (\{.*\}) of "([^"]*)" is soon gone$`, w.soonGone, `the item {"id": "7"} of "orders" is soon gone`, "Asks until it is: for a clock that goes by itself."},
	}}
}

// Read reads the item with a key that is written as JSON. The result is in Reply.
func (w *World) Read(ctx context.Context, text, table string, consistently bool) error {
	key, err := w.ItemOf(text)
	if err != nil {
		return err
	}
	w.Reply = (&request{table: w.Table(table), keys: key, want: want{consistent: &consistently}}).get(ctx, w.Once)
	return nil
}

func (w *World) readInTransaction(ctx context.Context, text, table string) error {
	key, err := w.ItemOf(text)
	if err != nil {
		return err
	}
	out, err := w.Once.TransactGetItems(ctx, &dynamodb.TransactGetItemsInput{
		TransactItems: []types.TransactGetItem{{Get: &types.Get{TableName: w.Table(table), Key: key}}}, ReturnConsumedCapacity: counted,
	})
	if w.Reply = (Reply{Err: err}); err == nil {
		w.Reply = showed(out.Responses[0].Item, nil)
		w.Consumed = out.ConsumedCapacity
	}
	return nil
}

func (w *World) soonGone(ctx context.Context, key, table string) error {
	return Await(ctx, Soon, func() (bool, error) {
		err := w.Read(ctx, key, table, true)
		return err == nil && w.Err == nil && len(w.Found) == 0, err
	})
}
