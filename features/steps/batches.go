package steps

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/cucumber/godog"
)

func (w *World) batchSteps() Group {
	return Group{Title: "Batches and transactions", Steps: []Step{
		{`^these items are put into "([^"]*)" in one batch:$`, w.putBatch, `these items are put into "orders" in one batch:`,
			"Puts the items of a table as above with one BatchWriteItem."},
		{`^(\d+) items? of the batch (?:is|are) unprocessed$`, w.unprocessedAre, `2 items of the batch are unprocessed`,
			"The number of unprocessed items. If the batch was refused, these are all of its items."},
		{`^the unprocessed items are sent again$`, func(ctx context.Context) error {
			return w.PutBatch(ctx, w.Left)
		}, `the unprocessed items are sent again`, "Sends them with another BatchWriteItem."},
		{`^a client sends a transaction of:$`, func(ctx context.Context, rows *godog.Table) error {
			return w.transact(ctx, "", rows)
		}, `a client sends a transaction of:`, "Sends a TransactWriteItems with one action per row: `Put of \"orders\" with {\"id\": \"7\"}, only if \"attribute_not_exists(id)\"`, `Update of \"stock\" where \"id = 'tea'\", setting \"ADD pieces -1\", only if \"pieces > 0\"`, `Delete of …`, `Check of …`."},
		{`^a client sends a transaction "([^"]*)" of:$`, w.transact, `a client sends a transaction "pay 7" of:`,
			"The same with this ClientRequestToken: a repetition within ten minutes has no effect."},
	}}
}

func (w *World) putBatch(ctx context.Context, table string, rows *godog.Table) error {
	items, err := w.itemsOf(rows)
	if err != nil {
		return err
	}
	var requests []types.WriteRequest
	for _, item := range items {
		requests = append(requests, types.WriteRequest{PutRequest: &types.PutRequest{Item: item}})
	}
	return w.PutBatch(ctx, map[string][]types.WriteRequest{*w.Table(table): requests})
}

// PutBatch sends a batch once and keeps its unprocessed items, which are all of them if the store refuses the batch.
func (w *World) PutBatch(ctx context.Context, requests map[string][]types.WriteRequest) error {
	out, err := w.Once.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: requests,
		ReturnConsumedCapacity: counted})
	w.Reply = Reply{Err: err}
	var api smithy.APIError
	switch {
	case errors.As(err, &api):
		w.Left = requests
	case err != nil:
		return err
	default:
		w.Left, w.Consumed = out.UnprocessedItems, out.ConsumedCapacity
	}
	return nil
}

func (w *World) unprocessedAre(want int) error {
	got := 0
	for _, requests := range w.Left {
		got += len(requests)
	}
	return equal(got, want)
}

func (w *World) transact(ctx context.Context, token string, rows *godog.Table) error {
	in := &dynamodb.TransactWriteItemsInput{ReturnConsumedCapacity: counted}
	if token != "" {
		in.ClientRequestToken = &token
	}
	for _, row := range rows.Rows {
		r, err := w.request(row.Cells[0].Value)
		if err != nil {
			return err
		}
		action, err := r.action()
		if err != nil {
			return err
		}
		in.TransactItems = append(in.TransactItems, action)
	}
	out, err := w.Once.TransactWriteItems(ctx, in)
	if w.Reply = (Reply{Err: err}); err == nil {
		w.Consumed = out.ConsumedCapacity
	}
	return nil
}

// action returns the request as an action of a transaction.
func (r *request) action() (types.TransactWriteItem, error) {
	switch r.operation {
	case "Put":
		return types.TransactWriteItem{Put: &types.Put{TableName: r.table, Item: r.item, ConditionExpression: r.condition,
			ExpressionAttributeNames: r.names, ExpressionAttributeValues: r.values}}, nil
	case "Update":
		return types.TransactWriteItem{Update: &types.Update{TableName: r.table, Key: r.keys, UpdateExpression: r.update,
			ConditionExpression: r.condition, ExpressionAttributeNames: r.names, ExpressionAttributeValues: r.values}}, nil
	case "Delete":
		return types.TransactWriteItem{Delete: &types.Delete{TableName: r.table, Key: r.keys,
			ConditionExpression:      r.condition,
			ExpressionAttributeNames: r.names, ExpressionAttributeValues: r.values}}, nil
	case "Check":
		return types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{TableName: r.table, Key: r.keys,
			ConditionExpression:      r.condition,
			ExpressionAttributeNames: r.names, ExpressionAttributeValues: r.values}}, nil
	}
	return types.TransactWriteItem{}, fmt.Errorf("%s is not an action of a transaction: use Put, Update, Delete or Check",
		r.operation)
}
