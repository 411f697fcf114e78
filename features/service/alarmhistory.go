package service

import (
	"context"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"

	"github.com/tabletop-db/tabletop/features/steps"
)

// historySays waits for an item in an alarm's history: the item of an action appears when the action is done.
func (w *world) historySays(ctx context.Context, name, want string) error {
	var all []string
	err := steps.Await(ctx, steps.ResponseTimeout, func() (bool, error) {
		out, err := w.CloudWatch().DescribeAlarmHistory(ctx, &cloudwatch.DescribeAlarmHistoryInput{AlarmName: w.Alarm(name)})
		if err != nil {
			return false, err
		}
		all = all[:0]
		for _, item := range out.AlarmHistoryItems {
			if all = append(all, *item.HistorySummary); strings.Contains(*item.HistorySummary, want) {
				return true, nil
			}
		}
		return false, nil
	})
	if err != nil {
		return fmt.Errorf("it says %q: %w", all, err)
	}
	return nil
}

// maxPuts is more items than a table with one write unit accepts at once.
const maxPuts = 2000

// putUntilRefused puts items until one is refused, for the scenario to examine.
func (w *world) putUntilRefused(ctx context.Context, table string) error {
	for i := range maxPuts {
		if err := w.Put(ctx, fmt.Sprintf(`{"id": "%d"}`, i), table, ""); err != nil || w.Err != nil {
			return err
		}
	}
	return fmt.Errorf("%d items were put, and none refused", maxPuts)
}

func (w *world) putMany(ctx context.Context, n int, table string) error {
	for i := range n {
		if err := w.Put(ctx, fmt.Sprintf(`{"id": "%d"}`, i), table, ""); err != nil {
			return err
		}
		if w.Err != nil {
			return w.Err
		}
	}
	return nil
}
