package service

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cucumber/godog"
	"golang.org/x/sync/errgroup"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/features/steps"
)

// accounts is the table used by the scenarios about transfers.
const accounts = "accounts"

func (w *world) conflicts(sc *godog.ScenarioContext) {
	sc.Step(`^the accounts "(\w+)", "(\w+)" and "(\w+)" have (\d+) each$`, w.open)
	sc.Step(`^the transfer "(\w+)" of (\d+) from "(\w+)" to "(\w+)" is in flight$`, w.holdTransfer)
	sc.Step(`^the transfer in flight succeeds$`, func(ctx context.Context) error {
		return errors.Join(w.AwaitResponse(ctx), w.Err)
	})
	sc.Step(`^the transfer "(\w+)" of (\d+) from "(\w+)" to "(\w+)" is made$`,
		func(ctx context.Context, token string, amount int, from, to string) {
			w.Reply = steps.Reply{Err: w.transfer(ctx, token, amount, from, to)}
		})
	sc.Step(`^(\d+) transfers of (\d+) from "(\w+)" to "(\w+)" are made at once$`, w.transferOften)
	sc.Step(`^(\d+) is added to "(\w+)"$`, func(ctx context.Context, amount int, id string) {
		w.Reply = steps.Reply{Err: w.add(ctx, w.Once, amount, id)}
	})
	sc.Step(`^"(\w+)" and "(\w+)" are read in a transaction$`, w.readTwo)
	sc.Step(`^a batch puts (\d+) into each of "(\w+)" and "(\w+)"$`, w.putInBatch)
	sc.Step(`^"(\w+)" is returned as unprocessed$`, w.returnedUnprocessed)
	sc.Step(`^"(\w+)" has (-?\d+), "(\w+)" has (-?\d+) and "(\w+)" has (-?\d+)$`,
		func(ctx context.Context, a, hasA, b, hasB, c, hasC string) error {
			return errors.Join(w.balanceIs(ctx, a, hasA), w.balanceIs(ctx, b, hasB), w.balanceIs(ctx, c, hasC))
		})
}

func idOf(id string) steps.Item { return steps.Item{"id": &types.AttributeValueMemberS{Value: id}} }

func (w *world) open(ctx context.Context, a, b, c string, amount int) error {
	for _, id := range []string{a, b, c} {
		if err := w.add(ctx, w.Once, amount, id); err != nil {
			return err
		}
	}
	return nil
}

// addition returns an update that adds an amount to an account.
func (w *world) addition(amount int, id string) *types.Update {
	return &types.Update{
		TableName: w.Table(accounts), Key: idOf(id), UpdateExpression: aws.String("ADD has :n"),
		ExpressionAttributeValues: steps.Item{":n": &types.AttributeValueMemberN{Value: fmt.Sprint(amount)}},
	}
}

func (w *world) add(ctx context.Context, client *dynamodb.Client, amount int, id string) error {
	u := w.addition(amount, id)
	_, err := client.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: u.TableName, Key: u.Key,
		UpdateExpression:          u.UpdateExpression,
		ExpressionAttributeValues: u.ExpressionAttributeValues})
	return err
}

// transfer moves an amount in a transaction. An empty token means a new one.
func (w *world) transfer(ctx context.Context, token string, amount int, from, to string) error {
	in := &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{{Update: w.addition(-amount, from)},
		{Update: w.addition(amount, to)}}}
	if token != "" {
		in.ClientRequestToken = &token
	}
	_, err := w.Once.TransactWriteItems(ctx, in)
	return err
}

// holdTransfer starts a transfer that a fault holds for a minute while its items are locked.
func (w *world) holdTransfer(ctx context.Context, token string, amount int, from, to string) error {
	remove, err := w.Target.Emulator.Fail(emulator.Fault{Do: emulator.DoHold, Latency: steps.DurationOf(1, "minute"),
		Times: 1})
	if err != nil {
		return err
	}
	w.StartRequest(ctx, func(ctx context.Context) (steps.Reply, error) {
		return steps.Reply{}, w.transfer(ctx, token, amount, from, to)
	})
	err = w.StillWaiting(ctx)
	remove()
	return err
}

func (w *world) transferOften(ctx context.Context, times, amount int, from, to string) error {
	var all errgroup.Group
	for range times {
		all.Go(func() error { return w.transfer(ctx, "", amount, from, to) })
	}
	return all.Wait()
}

func (w *world) readTwo(ctx context.Context, a, b string) {
	_, err := w.Once.TransactGetItems(ctx, &dynamodb.TransactGetItemsInput{TransactItems: []types.TransactGetItem{
		{Get: &types.Get{TableName: w.Table(accounts), Key: idOf(a)}},
		{Get: &types.Get{TableName: w.Table(accounts), Key: idOf(b)}},
	}})
	w.Reply = steps.Reply{Err: err}
}

func (w *world) putInBatch(ctx context.Context, amount int, a, b string) error {
	var requests []types.WriteRequest
	for _, id := range []string{a, b} {
		it := idOf(id)
		it["has"] = &types.AttributeValueMemberN{Value: fmt.Sprint(amount)}
		requests = append(requests, types.WriteRequest{PutRequest: &types.PutRequest{Item: it}})
	}
	return w.PutBatch(ctx, map[string][]types.WriteRequest{*w.Table(accounts): requests})
}

func (w *world) returnedUnprocessed(id string) error {
	for _, requests := range w.Left {
		for _, r := range requests {
			if got, ok := r.PutRequest.Item["id"].(*types.AttributeValueMemberS); ok && got.Value == id && len(requests) == 1 {
				return nil
			}
		}
	}
	return fmt.Errorf("the unprocessed items are %v", w.Left)
}

func (w *world) balanceIs(ctx context.Context, id, want string) error {
	out, err := w.Client.GetItem(ctx, &dynamodb.GetItemInput{TableName: w.Table(accounts), Key: idOf(id),
		ConsistentRead: aws.Bool(true)})
	if err != nil {
		return err
	}
	if got, ok := out.Item["has"].(*types.AttributeValueMemberN); !ok || got.Value != want {
		return fmt.Errorf("%s is %v", id, out.Item)
	}
	return nil
}
