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
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/steps"
)

// writeResults counts the results of many writes.
type writeResults struct {
	done, throttled int
	err             error // error of the last one throttled
}

func (w *world) capacity(sc *godog.ScenarioContext) {
	sc.Step(`^(\d+) items are put into "([^"]*)", one by one$`, w.putEach)
	sc.Step(`^the item (\{.*\}) is put into "([^"]*)" (\d+) times$`, w.putAgain)
	sc.Step(`^(all|\d+) succeed(?:, and the others are throttled with (\w+) for (\w+))?$`,
		func(n, code, reason string) error {
			return w.succeeded(n, 0, code, reason)
		})
	sc.Step(`^about (\d+) succeed, and the others are throttled with (\w+) for (\w+)$`,
		func(n, code, reason string) error {
			return w.succeeded(n, 0.1, code, reason)
		})
	sc.Step(`^it is throttled for (\w+) of the index "([^"]*)"$`, w.throttledFor)
	sc.Step(`^(\d+) items are put into "([^"]*)" in one batch$`, w.putBatch)
	sc.Step(`^"([^"]*)" holds (\d+) items$`, w.holdsItems)
}

// putOne puts an item and counts the result. An error other than throttling ends the scenario.
func (w *world) putOne(ctx context.Context, it steps.Item, table string) error {
	_, err := w.Once.PutItem(ctx, &dynamodb.PutItemInput{TableName: w.Table(table), Item: it})
	switch {
	case err == nil:
		w.writes.done++
	case len(throttlingReasons(err)) > 0:
		w.writes.throttled, w.writes.err = w.writes.throttled+1, err
	default:
		return err
	}
	w.Reply = steps.Reply{Err: err}
	return nil
}

// putEach puts n items, with ids from 1.
func (w *world) putEach(ctx context.Context, n int, table string) error {
	w.writes = writeResults{}
	for i := range n {
		if err := w.putOne(ctx, steps.Item{"id": &types.AttributeValueMemberS{Value: strconv.Itoa(i + 1)}},
			table); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) putAgain(ctx context.Context, text, table string, n int) error {
	it, err := w.ItemOf(text)
	if err != nil {
		return err
	}
	w.writes = writeResults{}
	for range n {
		if err := w.putOne(ctx, it, table); err != nil {
			return err
		}
	}
	return nil
}

// succeeded checks how many of the last writes succeeded, within a tolerance, and why the others failed.
func (w *world) succeeded(n string, tolerance float64, code, reason string) error {
	if n == "all" {
		if w.writes.throttled > 0 {
			return fmt.Errorf("%d were throttled: %w", w.writes.throttled, w.writes.err)
		}
		return nil
	}
	want, err := strconv.Atoi(n)
	if err != nil {
		return err
	}
	if least := int(float64(want) * (1 - tolerance)); w.writes.done < least || w.writes.done > want {
		return fmt.Errorf("%d were done, %d throttled: %w", w.writes.done, w.writes.throttled, w.writes.err)
	}
	if w.Err = w.writes.err; code == "" {
		return nil
	}
	if err := w.Refused(code, ""); err != nil {
		return err
	}
	return w.throttledBy(reason, w.writes.err, "")
}

// throttledFor checks the reason of the last refusal, and the index that it names.
func (w *world) throttledFor(reason, index string) error {
	return w.throttledBy(reason, w.Err, index)
}

func (w *world) throttledBy(reason string, err error, index string) error {
	for _, r := range throttlingReasons(err) {
		if aws.ToString(r.Reason) == reason && (index == "" || strings.HasSuffix(aws.ToString(r.Resource), "/index/"+index)) {
			return nil
		}
	}
	return fmt.Errorf("it is not throttled for %s: %w", reason, err)
}

// throttlingReasons returns the reasons in the error of a throttled request.
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
		it := steps.Item{"id": &types.AttributeValueMemberS{Value: strconv.Itoa(i + 1)}}
		requests[*w.Table(table)] = append(requests[*w.Table(table)],
			types.WriteRequest{PutRequest: &types.PutRequest{Item: it}})
	}
	return w.PutBatch(ctx, requests)
}

func (w *world) holdsItems(ctx context.Context, table string, n int64) error {
	out, err := w.Once.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: w.Table(table)})
	if err != nil {
		return err
	}
	if got := aws.ToInt64(out.Table.ItemCount); got != n {
		return fmt.Errorf("it holds %d items", got)
	}
	return nil
}
