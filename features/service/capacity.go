package service

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/cucumber/godog"
)

// tally is what came of many writes.
type tally struct {
	done, throttled int
	err             error // of the last one throttled
	left            map[string][]types.WriteRequest
}

func (w *world) capacity(sc *godog.ScenarioContext) {
	sc.Step(`^(\d+) items are put into "([^"]*)", one by one$`, w.putEach)
	sc.Step(`^the item (\{.*\}) is put into "([^"]*)" (\d+) times$`, w.putAgain)
	sc.Step(`^(all|\d+) are done(?:, the others throttled with (\w+) for (\w+))?$`, func(n, code, reason string) error { return w.tallied(n, 0, code, reason) })
	sc.Step(`^about (\d+) are done, the others throttled with (\w+) for (\w+)$`, func(n, code, reason string) error { return w.tallied(n, 0.1, code, reason) })
	sc.Step(`^it is throttled for (\w+) of the index "([^"]*)"$`, w.throttledFor)
	sc.Step(`^(\d+) items are put into "([^"]*)" in one batch$`, w.putBatch)
	sc.Step(`^(\d+) of the batch are left$`, func(n int) error {
		if got := len(flat(w.tally.left)); got != n {
			return fmt.Errorf("%d are left", got)
		}
		return nil
	})
	sc.Step(`^what is left is put again$`, func(ctx context.Context) error { return w.sendBatch(ctx, w.tally.left) })
	sc.Step(`^"([^"]*)" holds (\d+) items$`, w.holdsItems)
}

// putOne puts an item and counts what comes of it. What is neither done nor throttled ends the scenario.
func (w *world) putOne(ctx context.Context, it item, table string) error {
	_, err := w.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: w.table(table), Item: it})
	switch {
	case err == nil:
		w.tally.done++
	case len(throttlingReasons(err)) > 0:
		w.tally.throttled, w.tally.err = w.tally.throttled+1, err
	default:
		return err
	}
	w.last = reply{err: err}
	return nil
}

// putEach puts items with ids from 1 on.
func (w *world) putEach(ctx context.Context, n int, table string) error {
	w.tally = tally{}
	for i := range n {
		if err := w.putOne(ctx, item{"id": &types.AttributeValueMemberS{Value: strconv.Itoa(i + 1)}}, table); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) putAgain(ctx context.Context, text, table string, n int) error {
	it, err := itemOf(text)
	if err != nil {
		return err
	}
	w.tally = tally{}
	for range n {
		if err := w.putOne(ctx, it, table); err != nil {
			return err
		}
	}
	return nil
}

// tallied holds how many of the last writes were done, within a tolerance, and why the others were not.
func (w *world) tallied(n string, tolerance float64, code, reason string) error {
	if n == "all" {
		if w.tally.throttled > 0 {
			return fmt.Errorf("%d were throttled: %w", w.tally.throttled, w.tally.err)
		}
		return nil
	}
	want, err := strconv.Atoi(n)
	if err != nil {
		return err
	}
	if least := int(float64(want) * (1 - tolerance)); w.tally.done < least || w.tally.done > want {
		return fmt.Errorf("%d were done, %d throttled: %w", w.tally.done, w.tally.throttled, w.tally.err)
	}
	if w.last.err = w.tally.err; code == "" {
		return nil
	}
	if err := w.refusedWith(code, ""); err != nil {
		return err
	}
	return w.throttledBy(reason, w.tally.err, "")
}

// throttledFor holds the last refusal's reason, and the index that it names.
func (w *world) throttledFor(reason, index string) error {
	return w.throttledBy(reason, w.last.err, index)
}

func (w *world) throttledBy(reason string, err error, index string) error {
	for _, r := range throttlingReasons(err) {
		if aws.ToString(r.Reason) == reason && (index == "" || strings.HasSuffix(aws.ToString(r.Resource), "/index/"+index)) {
			return nil
		}
	}
	return fmt.Errorf("it is not throttled for %s: %w", reason, err)
}

// throttlingReasons are those of a throttled request.
func throttlingReasons(err error) []types.ThrottlingReason {
	var provisioned *types.ProvisionedThroughputExceededException
	var throttled *types.ThrottlingException
	var quota *types.RequestLimitExceeded
	switch {
	case errors.As(err, &provisioned):
		return provisioned.ThrottlingReasons
	case errors.As(err, &throttled):
		return throttled.ThrottlingReasons
	case errors.As(err, &quota):
		return quota.ThrottlingReasons
	}
	return nil
}

func (w *world) putBatch(ctx context.Context, n int, table string) error {
	requests := map[string][]types.WriteRequest{}
	for i := range n {
		it := item{"id": &types.AttributeValueMemberS{Value: strconv.Itoa(i + 1)}}
		requests[*w.table(table)] = append(requests[*w.table(table)], types.WriteRequest{PutRequest: &types.PutRequest{Item: it}})
	}
	return w.sendBatch(ctx, requests)
}

// sendBatch sends a batch once. One that is refused is left as a whole.
func (w *world) sendBatch(ctx context.Context, requests map[string][]types.WriteRequest) error {
	out, err := w.client.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: requests})
	w.last = reply{err: err}
	var api smithy.APIError
	switch {
	case errors.As(err, &api):
		w.tally.left = requests
	case err != nil:
		return err
	default:
		w.tally.left = out.UnprocessedItems
	}
	return nil
}

func flat(requests map[string][]types.WriteRequest) []types.WriteRequest {
	var all []types.WriteRequest
	for _, r := range requests {
		all = append(all, r...)
	}
	return all
}

func (w *world) holdsItems(ctx context.Context, table string, n int64) error {
	out, err := w.client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: w.table(table)})
	if err != nil {
		return err
	}
	if got := aws.ToInt64(out.Table.ItemCount); got != n {
		return fmt.Errorf("it holds %d items", got)
	}
	return nil
}
