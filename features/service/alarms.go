package service

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/emulator"
)

// onCall is the topic of the scenarios' alarms.
const onCall = "arn:aws:sns:us-east-1:000000000000:on-call"

// webhook is what the alarms of a scenario told.
type webhook struct {
	mu   sync.Mutex
	told []string // such as: throttled: OK -> ALARM
}

func (w *world) alarms(sc *godog.ScenarioContext) {
	sc.Step(`^an emulator whose alarms call a webhook$`, func() error { return w.startHooked() })
	sc.Step(`^an emulator that throttles, whose alarms call a webhook$`, func() error {
		return w.startHooked(emulator.WithLikeCloud(emulator.Throttling))
	})
	sc.Step(`^an alarm "([^"]*)" for when the (\w+) of (\w+) of "([^"]*)" in a minute is above (\d+)$`, func(ctx context.Context, name, stat, metric, table string, above float64) error {
		return w.putAlarm(ctx, w.above(name, stat, metric, table, above))
	})
	sc.Step(`^an alarm "([^"]*)" for when (\w+) of "([^"]*)" is above (\d+), to which missing data is (\w+)$`, func(ctx context.Context, name, metric, table string, above float64, missing string) error {
		in := w.above(name, "Sum", metric, table, above)
		in.TreatMissingData = &missing
		return w.putAlarm(ctx, in)
	})
	sc.Step(`^an alarm "([^"]*)" for when "([^"]*)" uses more than (\d+)% of its writes in 2 of 3 minutes$`, w.putUseAlarm)
	sc.Step(`^the alarm "([^"]*)" is set to (\w+)$`, w.setAlarm)
	sc.Step(`^the actions of the alarm "([^"]*)" are (enabled|disabled)$`, w.enableActions)
	sc.Step(`^the alarm "([^"]*)" is in (\w+)$`, func(ctx context.Context, name, state string) error { return w.alarmIs(ctx, name, state, "") })
	sc.Step(`^the alarm "([^"]*)" is in (\w+) because "(.*)"$`, w.alarmIs)
	sc.Step(`^the webhook is told that "([^"]*)" went from (\w+) to (\w+)$`, w.isTold)
	sc.Step(`^the webhook was told nothing of "([^"]*)"$`, w.isNotTold)
	sc.Step(`^the history of the alarm "([^"]*)" says "(.*)"$`, w.historySays)
	sc.Step(`^items are put into "([^"]*)" until one is refused$`, w.putUntilRefused)
	sc.Step(`^(\d+) items are put into "([^"]*)"$`, w.putMany)
	sc.Step(`^there is no alarm "([^"]*)"$`, w.noAlarm)
}

// startHooked starts an emulator whose alarms call a webhook of the scenario's.
func (w *world) startHooked(opts ...emulator.Option) error {
	hook := &webhook{}
	server := httptest.NewServer(hook)
	w.OnClose(func(context.Context) error {
		server.Close()
		return nil
	})
	w.hook = hook
	return w.Restart(append(opts, emulator.WithAlarmWebhook(server.URL))...)
}

// ServeHTTP takes a notification.
func (h *webhook) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	var notification struct{ Type, TopicArn, Message string }
	var message struct{ AlarmName, OldStateValue, NewStateValue string }
	if json.NewDecoder(r.Body).Decode(&notification) != nil || json.Unmarshal([]byte(notification.Message), &message) != nil {
		rw.WriteHeader(http.StatusBadRequest)
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if notification.Type == "Notification" && notification.TopicArn == onCall {
		h.told = append(h.told, fmt.Sprintf("%s: %s -> %s", message.AlarmName, message.OldStateValue, message.NewStateValue))
	}
}

// all is what was told so far.
func (h *webhook) all() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return strings.Join(h.told, "\n") + "\n"
}

// above is an alarm on one metric of a table, which acts on every change.
func (w *world) above(name, stat, metric, table string, above float64) *cloudwatch.PutMetricAlarmInput {
	return &cloudwatch.PutMetricAlarmInput{
		AlarmName: &name, Namespace: aws.String("AWS/DynamoDB"), MetricName: &metric, Dimensions: w.dimensions("TableName", table),
		Statistic: types.Statistic(stat), Period: aws.Int32(60), EvaluationPeriods: aws.Int32(1),
		Threshold: &above, ComparisonOperator: types.ComparisonOperatorGreaterThanThreshold, TreatMissingData: aws.String("notBreaching"),
	}
}

// putAlarm makes an alarm that acts on every change of its state.
func (w *world) putAlarm(ctx context.Context, in *cloudwatch.PutMetricAlarmInput) error {
	in.OKActions, in.AlarmActions, in.InsufficientDataActions = []string{onCall}, []string{onCall}, []string{onCall}
	_, err := w.watching().PutMetricAlarm(ctx, in)
	return err
}

// putUseAlarm makes an alarm on an expression: what a table uses of what it is provisioned with.
func (w *world) putUseAlarm(ctx context.Context, name, table string, percent float64) error {
	stat := func(id, metric, stat string) types.MetricDataQuery {
		return types.MetricDataQuery{Id: &id, ReturnData: aws.Bool(false), MetricStat: &types.MetricStat{Period: aws.Int32(60), Stat: &stat, Metric: &types.Metric{
			Namespace: aws.String("AWS/DynamoDB"), MetricName: &metric, Dimensions: w.dimensions("TableName", table)}}}
	}
	return w.putAlarm(ctx, &cloudwatch.PutMetricAlarmInput{
		AlarmName: &name, EvaluationPeriods: aws.Int32(3), DatapointsToAlarm: aws.Int32(2), TreatMissingData: aws.String("notBreaching"),
		Threshold: &percent, ComparisonOperator: types.ComparisonOperatorGreaterThanThreshold,
		Metrics: []types.MetricDataQuery{
			stat("used", "ConsumedWriteCapacityUnits", "Sum"), stat("given", "ProvisionedWriteCapacityUnits", "Average"),
			{Id: aws.String("use"), Expression: aws.String("100 * (used / PERIOD(used)) / FILL(given, REPEAT)")},
		},
	})
}

func (w *world) setAlarm(ctx context.Context, name, state string) error {
	_, err := w.watching().SetAlarmState(ctx, &cloudwatch.SetAlarmStateInput{AlarmName: &name, StateValue: types.StateValue(state), StateReason: aws.String("a drill")})
	return err
}

func (w *world) enableActions(ctx context.Context, name, how string) (err error) {
	if how == "enabled" {
		_, err = w.watching().EnableAlarmActions(ctx, &cloudwatch.EnableAlarmActionsInput{AlarmNames: []string{name}})
	} else {
		_, err = w.watching().DisableAlarmActions(ctx, &cloudwatch.DisableAlarmActionsInput{AlarmNames: []string{name}})
	}
	return err
}
