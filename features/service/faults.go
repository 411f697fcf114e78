package service

import (
	"context"
	"fmt"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/steps"
)

func (w *world) faults(sc *godog.ScenarioContext) {
	sc.Step(`^the fault (\{.*\})$`, w.setFault)
	sc.Step(`^(\d+) is added to "(\w+)" (\d+) times$`, w.addTimes)
	sc.Step(`^"(\w+)" has (-?\d+)$`, w.balanceIs)
	sc.Step(`^a client that retries adds (\d+) to "(\w+)"$`, func(ctx context.Context, amount int, id string) {
		w.Reply = steps.Reply{Err: w.add(ctx, w.Client, amount, id)}
	})
	sc.Step(`^a client that retries adds (\d+) to "(\w+)" in a transaction$`, w.addInTransaction)
	sc.Step(`^a batch of (\d+) accounts is written$`, w.writeAccounts)
	sc.Step(`^an addition of (\d+) to "(\w+)" is started$`, func(ctx context.Context, amount int, id string) {
		w.StartRequest(ctx, func(ctx context.Context) (steps.Reply, error) {
			return steps.Reply{}, w.add(ctx, w.Once, amount, id)
		})
	})
	sc.Step(`^in one batch the item (\{.*\}) is read from "([^"]*)" consistently, and from "([^"]*)" eventually consistently$`,
		w.readMixed)
	sc.Step(`^"(\w+)" adds (\d+) to "(\w+)"$`, w.addAs)
}

func (w *world) setFault(ctx context.Context, fault string) error {
	if err := w.command(ctx, "POST /_tabletop/faults", fault, ""); err != nil {
		return err
	}
	return w.responds(http.StatusCreated, "")
}

func (w *world) addTimes(ctx context.Context, amount int, id string, times int) {
	w.Raced = nil
	for range times {
		w.Raced = append(w.Raced, w.add(ctx, w.Once, amount, id))
	}
}

func (w *world) addInTransaction(ctx context.Context, amount int, id string) {
	_, err := w.Client.TransactWriteItems(ctx,
		&dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{{Update: w.addition(amount, id)}}})
	w.Reply = steps.Reply{Err: err}
}

func (w *world) writeAccounts(ctx context.Context, n int) error {
	var requests []types.WriteRequest
	for i := range n {
		requests = append(requests, types.WriteRequest{PutRequest: &types.PutRequest{Item: idOf(fmt.Sprint(i))}})
	}
	return w.PutBatch(ctx, map[string][]types.WriteRequest{*w.Table(accounts): requests})
}

// addAs is like give, signed with another access key.
func (w *world) addAs(ctx context.Context, who string, amount int, id string) {
	client := dynamodb.NewFromConfig(w.Target.Emulator.AWSConfig(), noRetries, func(o *dynamodb.Options) {
		o.Credentials = credentials.NewStaticCredentialsProvider(who, "secret", "")
	})
	w.Reply = steps.Reply{Err: w.add(ctx, client, amount, id)}
}

// readMixed reads the item with a key from two tables in one batch, from one of them with consistent reads. Found holds
// the results.
func (w *world) readMixed(ctx context.Context, text, consistent, eventual string) error {
	key, err := w.ItemOf(text)
	if err != nil {
		return err
	}
	keys := []map[string]types.AttributeValue{key}
	out, err := w.Once.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
		*w.Table(consistent): {Keys: keys, ConsistentRead: aws.Bool(true)}, *w.Table(eventual): {Keys: keys},
	}})
	if w.Reply = (steps.Reply{Err: err}); err != nil {
		return nil
	}
	w.Found = append(out.Responses[*w.Table(consistent)], out.Responses[*w.Table(eventual)]...)
	return nil
}
