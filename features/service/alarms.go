package service

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/features/steps"
)

func (w *world) alarms(sc *godog.ScenarioContext) {
	sc.Step(`^an emulator that throttles, whose alarms call a webhook$`, func() error {
		return w.RestartWithWebhook(emulator.WithLikeCloud(emulator.Throttling))
	})
	sc.Step(`^an alarm "([^"]*)" for when the (\w+) of (\w+) of "([^"]*)" in a minute is above (\d+)$`,
		func(ctx context.Context, name, stat, metric, table string, above float64) error {
			return w.putAlarm(ctx, w.alarmAbove(name, stat, metric, table, above))
		})
	sc.Step(`^an alarm "([^"]*)" for when (\w+) of "([^"]*)" is above (\d+), which treats missing data as (\w+)$`,
		func(ctx context.Context, name, metric, table string, above float64, missing string) error {
			in := w.alarmAbove(name, "Sum", metric, table, above)
			in.TreatMissingData = &missing
			return w.putAlarm(ctx, in)
		})
	sc.Step(`^an alarm "([^"]*)" that calls the webhook only on entering (ALARM|OK)$`, w.putOneWay)
	sc.Step(`^an alarm "([^"]*)" for when "([^"]*)" uses more than (\d+)% of its writes in 2 of 3 minutes$`, w.putUseAlarm)
	sc.Step(`^the alarm "([^"]*)" is set to (\w+)$`, w.setAlarm)
	sc.Step(`^the actions of the alarm "([^"]*)" are (enabled|disabled)$`, w.enableActions)
	sc.Step(`^the history of the alarm "([^"]*)" says "(.*)"$`, w.historySays)
	sc.Step(`^items are put into "([^"]*)" until one is refused$`, w.putUntilRefused)
	sc.Step(`^(\d+) items? (?:is|are) put into "([^"]*)"$`, w.putMany)
}

// alarmAbove returns an alarm on one metric of a table, which acts on every change.
func (w *world) alarmAbove(name, stat, metric, table string, above float64) *cloudwatch.PutMetricAlarmInput {
	return &cloudwatch.PutMetricAlarmInput{
		AlarmName: w.Alarm(name), Namespace: aws.String("AWS/DynamoDB"), MetricName: &metric,
		Dimensions: w.dimensions("TableName", table),
		Statistic:  types.Statistic(stat), Period: aws.Int32(60), EvaluationPeriods: aws.Int32(1),
		Threshold: &above, ComparisonOperator: types.ComparisonOperatorGreaterThanThreshold,
		TreatMissingData: aws.String("notBreaching"),
	}
}

// putAlarm creates an alarm that acts on every change of its state.
func (w *world) putAlarm(ctx context.Context, in *cloudwatch.PutMetricAlarmInput) error {
	in.OKActions, in.AlarmActions, in.InsufficientDataActions = []string{steps.OnCall}, []string{steps.OnCall},
		[]string{steps.OnCall}
	_, err := w.CloudWatch().PutMetricAlarm(ctx, in)
	return err
}

// putOneWay creates an alarm that acts when it enters one state, and on no other change.
func (w *world) putOneWay(ctx context.Context, name, state string) error {
	in := w.alarmAbove(name, "Sum", "SystemErrors", "orders", 0)
	if state == string(types.StateValueAlarm) {
		in.AlarmActions = []string{steps.OnCall}
	} else {
		in.OKActions = []string{steps.OnCall}
	}
	_, err := w.CloudWatch().PutMetricAlarm(ctx, in)
	return err
}

// putUseAlarm creates an alarm on a metric math expression: the percentage of a table's provisioned throughput in use.
func (w *world) putUseAlarm(ctx context.Context, name, table string, percent float64) error {
	stat := func(id, metric, stat string) types.MetricDataQuery {
		return types.MetricDataQuery{Id: &id, ReturnData: aws.Bool(false),
			MetricStat: &types.MetricStat{Period: aws.Int32(60), Stat: &stat, Metric: &types.Metric{
				Namespace: aws.String("AWS/DynamoDB"), MetricName: &metric, Dimensions: w.dimensions("TableName", table)}}}
	}
	return w.putAlarm(ctx, &cloudwatch.PutMetricAlarmInput{
		AlarmName: w.Alarm(name), EvaluationPeriods: aws.Int32(3), DatapointsToAlarm: aws.Int32(2),
		TreatMissingData: aws.String("notBreaching"),
		Threshold:        &percent, ComparisonOperator: types.ComparisonOperatorGreaterThanThreshold,
		Metrics: []types.MetricDataQuery{
			stat("used", "ConsumedWriteCapacityUnits", "Sum"), stat("given", "ProvisionedWriteCapacityUnits", "Average"),
			{Id: aws.String("use"), Expression: aws.String("100 * (used / PERIOD(used)) / FILL(given, REPEAT)")},
		},
	})
}

func (w *world) setAlarm(ctx context.Context, name, state string) error {
	_, err := w.CloudWatch().SetAlarmState(ctx, &cloudwatch.SetAlarmStateInput{AlarmName: w.Alarm(name),
		StateValue: types.StateValue(state), StateReason: aws.String("a drill")})
	return err
}

func (w *world) enableActions(ctx context.Context, name, how string) (err error) {
	if how == "enabled" {
		_, err = w.CloudWatch().EnableAlarmActions(ctx,
			&cloudwatch.EnableAlarmActionsInput{AlarmNames: []string{*w.Alarm(name)}})
	} else {
		_, err = w.CloudWatch().DisableAlarmActions(ctx,
			&cloudwatch.DisableAlarmActionsInput{AlarmNames: []string{*w.Alarm(name)}})
	}
	return err
}
