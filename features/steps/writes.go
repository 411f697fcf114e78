package steps

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cucumber/godog"
)

func (w *World) writeSteps() Group {
	return Group{Title: "Writes",
		Intro: "Items and keys are JSON. {now}, {seconds in 30 days} and saved values are filled in.", Steps: []Step{
			{`^the item (\{.*\}) is put into "([^"]*)"$`, func(ctx context.Context, item, table string) error {
				return w.Put(ctx, item, table, "")
			}, `the item {"id": "7", "total": 12.5} is put into "orders"`, "Puts the item, replacing any previous one."},
			{`^the item (\{.*\}) is put into "([^"]*)" only if "([^"]*)"$`, w.Put,
				`the item {"id": "7"} is put into "orders" only if "attribute_not_exists(id)"`, "Puts the item with a condition."},
			{`^the item (\{.*\}) of "([^"]*)" is deleted$`, w.remove, `the item {"id": "7"} of "orders" is deleted`,
				"Deletes the item with that key, if there is one."},
			{`^these items are put into "([^"]*)":$`, w.putAll,
				`these items are put into "orders":`, "Puts them one after another; an error fails the scenario. The first row of the table below names the attributes. A cell is JSON if it is valid JSON (12, true, [1, 2]), otherwise text; a cell in 'single quotes' is always text, and an empty cell is an absent attribute."},
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
		{`^the item (\{.*\}) of "([^"]*)" is read$`, read(false), `the item {"id": "7"} of "orders" is read`,
			"Reads the item with this key, eventually consistently."},
		{`^the item (\{.*\}) of "([^"]*)" is read consistently$`, read(true),
			`the item {"id": "7"} of "orders" is read consistently`, "Reads the item with this key, strongly consistently."},
		{`^the item (\{.*\}) of "([^"]*)" is read in a transaction$`, w.readInTransaction,
			`the item {"id": "7"} of "orders" is read in a transaction`, "Reads it with TransactGetItems."},
		{`^the item (\{.*\}) of "([^"]*)" is soon gone$`, w.eventuallyGone, `the item {"id": "7"} of "orders" is soon gone`,
			"Reads until the item is gone, for a clock that runs by itself."},
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
		TransactItems:          []types.TransactGetItem{{Get: &types.Get{TableName: w.Table(table), Key: key}}},
		ReturnConsumedCapacity: counted,
	})
	if w.Reply = (Reply{Err: err}); err == nil {
		w.Reply = replyWith(out.Responses[0].Item, nil)
		w.Consumed = out.ConsumedCapacity
	}
	return nil
}

func (w *World) eventuallyGone(ctx context.Context, key, table string) error {
	return Await(ctx, ResponseTimeout, func() (bool, error) {
		err := w.Read(ctx, key, table, true)
		return err == nil && w.Err == nil && len(w.Found) == 0, err
	})
}
