package service

import (
	"context"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"

	"github.com/tabletop-db/tabletop/features/steps"
)

// alarmIs holds an alarm's state and words of its reason, empty for any.
func (w *world) alarmIs(ctx context.Context, name, state, because string) error {
	out, err := w.watching().DescribeAlarms(ctx, &cloudwatch.DescribeAlarmsInput{AlarmNames: []string{name}})
	if err != nil {
		return err
	}
	if len(out.MetricAlarms) == 0 {
		return fmt.Errorf("there is no such alarm")
	}
	a := out.MetricAlarms[0]
	if string(a.StateValue) != state || !strings.Contains(*a.StateReason, because) {
		return fmt.Errorf("it is in %s: %s", a.StateValue, *a.StateReason)
	}
	return nil
}

func (w *world) noAlarm(ctx context.Context, name string) error {
	out, err := w.watching().DescribeAlarms(ctx, &cloudwatch.DescribeAlarmsInput{AlarmNames: []string{name}})
	if err == nil && len(out.MetricAlarms) > 0 {
		err = fmt.Errorf("it is in %s", out.MetricAlarms[0].StateValue)
	}
	return err
}

// isTold waits for a notification, which is sent beside the clock.
func (w *world) isTold(ctx context.Context, name, was, is string) error {
	want := fmt.Sprintf("%s: %s -> %s\n", name, was, is)
	err := steps.Await(ctx, steps.Soon, func() (bool, error) { return strings.Contains(w.hook.all(), want), nil })
	if err != nil {
		return fmt.Errorf("it was told %q", w.hook.all())
	}
	return nil
}

func (w *world) isNotTold(name string) error {
	if all := w.hook.all(); strings.Contains(all, name+": ") {
		return fmt.Errorf("it was told %q", all)
	}
	return nil
}

// historySays waits for an item of an alarm's history: that of an action comes when it is done.
func (w *world) historySays(ctx context.Context, name, want string) error {
	var all []string
	err := steps.Await(ctx, steps.Soon, func() (bool, error) {
		out, err := w.watching().DescribeAlarmHistory(ctx, &cloudwatch.DescribeAlarmHistoryInput{AlarmName: &name})
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

// most is more items than a table of one write a second takes at once.
const most = 2000

// putUntilRefused puts items until one is, which the scenario can look at.
func (w *world) putUntilRefused(ctx context.Context, table string) error {
	for i := range most {
		if err := w.Put(ctx, fmt.Sprintf(`{"id": "%d"}`, i), table, ""); err != nil || w.Err != nil {
			return err
		}
	}
	return fmt.Errorf("%d items were put, and none refused", most)
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
