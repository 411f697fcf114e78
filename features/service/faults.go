package service

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/cucumber/godog"
)

func (w *world) faults(sc *godog.ScenarioContext) {
	sc.Step(`^the fault (\{.*\})$`, w.setFault)
	sc.Step(`^(\d+) is added to "(\w+)" (\d+) times$`, w.giveOften)
	sc.Step(`^(\d+) of them are refused with (\w+)$`, w.refusedOften)
	sc.Step(`^"(\w+)" has (-?\d+)$`, w.has)
	sc.Step(`^a client that tries again adds (\d+) to "(\w+)"$`, func(ctx context.Context, amount int, id string) {
		w.last = reply{err: w.give(ctx, w.Client, amount, id)}
	})
	sc.Step(`^a client that tries again adds (\d+) to "(\w+)" in a transaction$`, w.giveInTransaction)
	sc.Step(`^it gets no answer$`, w.noAnswer)
	sc.Step(`^a batch of (\d+) accounts is written$`, w.writeAccounts)
	sc.Step(`^what came back is written$`, func(ctx context.Context) error { return w.writeBatch(ctx, w.unprocessed) })
	sc.Step(`^(\d+) of them come back$`, w.comeBack)
	sc.Step(`^an addition of (\d+) to "(\w+)" is begun$`, func(ctx context.Context, amount int, id string) {
		w.flight = make(chan error, 1)
		go func() { w.flight <- w.give(context.WithoutCancel(ctx), w.client, amount, id) }()
	})
	sc.Step(`^it waits$`, w.awaitWaiting)
	sc.Step(`^it ends well$`, func() error { return <-w.flight })
	sc.Step(`^"(\w+)" adds (\d+) to "(\w+)"$`, w.giveAs)
}

func (w *world) setFault(ctx context.Context, fault string) error {
	if err := w.command(ctx, "POST /_tabletop/faults", fault, ""); err != nil {
		return err
	}
	return w.answers(http.StatusCreated, "")
}

func (w *world) giveOften(ctx context.Context, amount int, id string, times int) {
	w.all = nil
	for range times {
		w.all = append(w.all, w.give(ctx, w.client, amount, id))
	}
}

func (w *world) refusedOften(times int, code string) error {
	refused := 0
	for _, err := range w.all {
		var api smithy.APIError
		switch {
		case err == nil:
		case errors.As(err, &api) && api.ErrorCode() == code:
			refused++
		default:
			return err
		}
	}
	if refused != times {
		return fmt.Errorf("%d are", refused)
	}
	return nil
}

func (w *world) giveInTransaction(ctx context.Context, amount int, id string) {
	_, err := w.Client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{{Update: w.addition(amount, id)}}})
	w.last = reply{err: err}
}

// noAnswer holds that the last request failed without a word of the service.
func (w *world) noAnswer() error {
	var api smithy.APIError
	if w.last.err == nil || errors.As(w.last.err, &api) {
		return fmt.Errorf("the answer is %v", w.last.err)
	}
	return nil
}

func (w *world) writeAccounts(ctx context.Context, n int) error {
	var requests []types.WriteRequest
	for i := range n {
		requests = append(requests, types.WriteRequest{PutRequest: &types.PutRequest{Item: idOf(fmt.Sprint(i))}})
	}
	return w.writeBatch(ctx, map[string][]types.WriteRequest{*w.table(accounts): requests})
}

func (w *world) comeBack(want int) error {
	if got := len(w.unprocessed[*w.table(accounts)]); got != want {
		return fmt.Errorf("%d do", got)
	}
	return nil
}

// giveAs is give by someone else.
func (w *world) giveAs(ctx context.Context, who string, amount int, id string) {
	client := dynamodb.NewFromConfig(w.emulator.AWSConfig(), once, func(o *dynamodb.Options) {
		o.Credentials = credentials.NewStaticCredentialsProvider(who, "secret", "")
	})
	w.last = reply{err: w.give(ctx, client, amount, id)}
}
