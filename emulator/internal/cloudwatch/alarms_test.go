package cloudwatch

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

// TestAnAlarmFollowsItsMetric goes through the states of an alarm, with the service's reason for each.
func TestAnAlarmFollowsItsMetric(t *testing.T) {
	t.Parallel()
	d := newTestService(t, Webhook{})
	d.put(throttles())
	if a := d.alarm("throttles"); a.StateValue != types.StateValueInsufficientData ||
		*a.StateReason != "Unchecked: Initial alarm creation" {
		t.Errorf("a new alarm is %s: %s", a.StateValue, *a.StateReason)
	}
	for _, c := range []struct {
		throttled float64
		want      string
	}{
		{0, "OK Threshold Crossed: no datapoints were received for 1 period and 1 missing datapoint was treated as [NonBreaching]."},
		{3, "ALARM Threshold Crossed: 1 datapoint [3.0 (21/11/26 12:01:00)] was greater than the threshold (0.0)."},
		// the last real one is still in reach
		{0, "ALARM Threshold Crossed: 1 datapoint [3.0 (21/11/26 12:01:00)] was greater than the threshold (0.0)."},
		{0, "ALARM Threshold Crossed: 1 datapoint [3.0 (21/11/26 12:01:00)] was greater than the threshold (0.0)."},
		{0, "OK Threshold Crossed: no datapoints were received for 1 period and 1 missing datapoint was treated as [NonBreaching]."},
	} {
		if c.throttled > 0 {
			d.observe("orders", "WriteThrottleEvents", 1, 1, 1)
		}
		d.advance(time.Minute)
		a := d.alarm("throttles")
		if got := string(a.StateValue) + " " + *a.StateReason; got != c.want {
			t.Errorf("at %s the alarm is %s, want %s", d.clock.Now().Format(time.TimeOnly), got, c.want)
		}
	}
	var summaries []string
	for _, item := range d.history("throttles") {
		summaries = append(summaries, item.Timestamp.Format(time.TimeOnly)+" "+*item.HistorySummary)
	}
	want := `12:00:00 Alarm "throttles" created; 12:01:00 Alarm updated from INSUFFICIENT_DATA to OK; 12:02:00 Alarm updated from OK to ALARM; 12:05:00 Alarm updated from ALARM to OK`
	if got := strings.Join(summaries, "; "); got != want {
		t.Errorf("the history is\n%s, want\n%s", got, want)
	}
}

// TestEachMinuteIsEvaluatedHoweverFarTheClockMoves checks that no minute is skipped.
func TestEachMinuteIsEvaluatedHoweverFarTheClockMoves(t *testing.T) {
	t.Parallel()
	d := newTestService(t, Webhook{})
	d.put(throttles())
	for minute := range 3 { // throttled in the minutes 10, 20 and 30
		at := noon.Add(time.Duration(minute+1) * 10 * time.Minute)
		d.clock.At(at, func() { d.observe("orders", "WriteThrottleEvents", 1) })
	}
	d.advance(24 * time.Hour)
	changes := 0
	for _, item := range d.history("throttles") {
		if item.HistoryItemType == types.HistoryItemTypeStateUpdate {
			changes++
		}
	}
	if changes != 7 {
		t.Errorf("the alarm changed its state %d times, want 7: to OK, and three times to ALARM and back", changes)
	}
}

// TestActionsReachTheWebhook checks the form of a notification, and its item in the history.
func TestActionsReachTheWebhook(t *testing.T) {
	t.Parallel()
	posts := make(chan string, 10)
	topics := make(chan string, 10)
	hook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		topics <- r.Header.Get("x-amz-sns-topic-arn")
		posts <- string(body)
	}))
	defer hook.Close()
	d := newTestService(t, Webhook{URL: "http://127.0.0.1:1/",
		Topics: map[string]string{"arn:aws:sns:us-east-1:000000000000:on-call": hook.URL}})
	in := throttles()
	in.AlarmActions = []string{"arn:aws:sns:us-east-1:000000000000:on-call"}
	in.DatapointsToAlarm = aws.Int32(1)
	d.put(in)
	d.observe("orders", "WriteThrottleEvents", 2)
	d.advance(time.Minute)
	if got := <-topics; got != in.AlarmActions[0] {
		t.Errorf("the topic is %s", got)
	}
	var sent envelope
	if err := json.Unmarshal([]byte(<-posts), &sent); err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(sent.Type, " ", sent.Subject, " ", sent.Timestamp),
		`Notification ALARM: "throttles" in US East (N. Virginia) 2026-11-21T12:01:00.000Z`; got != want {
		t.Errorf("the notification is %s, want %s", got, want)
	}
	want := `{"AlarmName":"throttles","AlarmDescription":null,"AWSAccountId":"000000000000","AlarmConfigurationUpdatedTimestamp":"2026-11-21T12:00:00.000+0000",` +
		`"NewStateValue":"ALARM","NewStateReason":"Threshold Crossed: 1 out of the last 1 datapoints [2.0 (21/11/26 12:00:00)] was greater than the threshold (0.0) (minimum 1 datapoint for OK -\u003e ALARM transition).",` +
		`"StateChangeTime":"2026-11-21T12:01:00.000+0000","Region":"US East (N. Virginia)","AlarmArn":"arn:aws:cloudwatch:us-east-1:000000000000:alarm:throttles","OldStateValue":"INSUFFICIENT_DATA",` +
		`"OKActions":[],"AlarmActions":["arn:aws:sns:us-east-1:000000000000:on-call"],"InsufficientDataActions":[],"Trigger":{"MetricName":"WriteThrottleEvents","Namespace":"AWS/DynamoDB",` +
		`"StatisticType":"Statistic","Statistic":"SUM","Dimensions":[{"name":"TableName","value":"orders"}],"Period":60,"EvaluationPeriods":1,"DatapointsToAlarm":1,` +
		`"ComparisonOperator":"GreaterThanThreshold","Threshold":0,"TreatMissingData":"notBreaching","EvaluateLowSampleCountPercentile":""}}`
	if sent.Message != want {
		t.Errorf("the message is\n%s, want\n%s", sent.Message, want)
	}
	d.waitForAction("Successfully executed action " + in.AlarmActions[0])
}

// waitForAction waits until the history of the alarm throttles has an action with that summary.
func (d *testService) waitForAction(summary string) {
	d.Helper()
	await.True(d.T, "the history says "+summary, func() bool {
		return slices.ContainsFunc(d.history("throttles"), func(item types.AlarmHistoryItem) bool {
			return item.HistoryItemType == types.HistoryItemTypeAction && strings.HasPrefix(*item.HistorySummary, summary)
		})
	})
}

func TestAFailedActionIsInTheHistory(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		webhook Webhook
		want    string
	}{
		{Webhook{}, `Failed to execute action arn:aws:sns:us-east-1:000000000000:on-call. Received error: "it has no webhook: start the emulator with --alarm-webhook"`},
		{Webhook{URL: "http://127.0.0.1:1/secret"}, `Failed to execute action arn:aws:sns:us-east-1:000000000000:on-call. Received error: "the webhook did not accept it in 4 attempts`},
	} {
		d := newTestService(t, c.webhook)
		d.service.sender.retryDelays = make([]time.Duration, 4)
		in := throttles()
		in.OKActions = []string{"arn:aws:sns:us-east-1:000000000000:on-call"}
		d.put(in)
		d.advance(time.Minute)
		d.waitForAction(c.want)
		for _, item := range d.history("throttles") {
			if strings.Contains(*item.HistorySummary+*item.HistoryData, "secret") {
				t.Errorf("the history tells the webhook's URL: %s", *item.HistorySummary)
			}
		}
	}
}

// TestAlarmsWithoutActionsEnabledDoNothing checks the effect of DisableAlarmActions, EnableAlarmActions and
// SetAlarmState.
func TestAlarmsWithoutActionsEnabledDoNothing(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	d := newTestService(t, Webhook{})
	in := throttles()
	in.AlarmActions = []string{"arn:aws:sns:us-east-1:000000000000:on-call"}
	d.put(in)
	names := []string{"throttles", "no-such-alarm"}
	set := func(state types.StateValue) {
		_, err := d.client.SetAlarmState(ctx, &cloudwatch.SetAlarmStateInput{AlarmName: aws.String("throttles"),
			StateValue: state, StateReason: aws.String("a drill")})
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := d.client.DisableAlarmActions(ctx, &cloudwatch.DisableAlarmActionsInput{AlarmNames: names}); err != nil {
		t.Fatal(err)
	}
	set(types.StateValueAlarm)
	if a := d.alarm("throttles"); a.StateValue != types.StateValueAlarm || *a.StateReason != "a drill" ||
		*a.ActionsEnabled {
		t.Errorf("the alarm is %s for %q, with actions %t", a.StateValue, *a.StateReason, *a.ActionsEnabled)
	}
	for _, item := range d.history("throttles") {
		if item.HistoryItemType == types.HistoryItemTypeAction {
			t.Errorf("the alarm acted: %s", *item.HistorySummary)
		}
	}
	if _, err := d.client.EnableAlarmActions(ctx, &cloudwatch.EnableAlarmActionsInput{AlarmNames: names}); err != nil {
		t.Fatal(err)
	}
	set(types.StateValueOk)
	set(types.StateValueAlarm)
	d.waitForAction("Failed to execute action")
	d.advance(time.Minute)
	if a := d.alarm("throttles"); a.StateValue != types.StateValueOk {
		t.Errorf("after its next evaluation the alarm is %s, want OK", a.StateValue)
	}
}

// TestAlarmsSurviveTheirProcess checks that alarms, their states and their history are stored, and what Reload does.
func TestAlarmsSurviveTheirProcess(t *testing.T) {
	t.Parallel()
	d := newTestService(t, Webhook{})
	d.put(throttles())
	d.advance(time.Minute)
	before := len(d.history("throttles"))
	if err := d.service.Reload(); err != nil {
		t.Fatal(err)
	}
	if a := d.alarm("throttles"); a.StateValue != types.StateValueOk || len(d.history("throttles")) != before {
		t.Errorf("after a reload the alarm is %s", a.StateValue)
	}
	d.observe("orders", "WriteThrottleEvents", 1)
	d.advance(time.Minute)
	if a := d.alarm("throttles"); a.StateValue != types.StateValueAlarm {
		t.Errorf("after a reload the alarm is not evaluated: it is %s", a.StateValue)
	}
	if err := d.store.Update(store.Latch(), func(tx *store.Tx) error { return tx.DeleteRange(nil, nil) }); err != nil {
		t.Fatal(err)
	}
	if err := d.service.Reload(); err != nil {
		t.Fatal(err)
	}
	if n := len(d.service.alarms); n != 0 || d.service.timer.cancel != nil {
		t.Errorf("%d alarms are left in an empty store, and the timer is set: %t", n, d.service.timer.cancel != nil)
	}
}

// TestStoredAlarmsWithInvalidSettingsAreKept opens a store with an alarm of a period that an earlier version accepted:
// it is listed with its state, and the others are evaluated.
func TestStoredAlarmsWithInvalidSettingsAreKept(t *testing.T) {
	t.Parallel()
	d := newTestService(t, Webhook{})
	d.put(throttles())
	old := throttles()
	old.AlarmName = aws.String("of an earlier version")
	d.put(old)
	d.advance(time.Minute)
	for key, a := range d.service.alarms {
		if key.name != *old.AlarmName {
			continue
		}
		stored := *a
		stored.Period = aws.Int64(61)
		text, err := stored.recorded()
		if err != nil {
			t.Fatal(err)
		}
		if err := d.store.Update(store.Latch(), func(tx *store.Tx) error { return tx.Set(key.stored(), text) }); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.service.Reload(); err != nil {
		t.Fatal(err)
	}
	if a := d.alarm(*old.AlarmName); a.StateValue != types.StateValueOk || *a.Period != 61 {
		t.Errorf("the stored alarm is %s with a period of %d seconds", a.StateValue, *a.Period)
	}
	d.observe("orders", "WriteThrottleEvents", 1)
	d.advance(time.Minute)
	if a, other := d.alarm(*old.AlarmName), d.alarm("throttles"); a.StateValue != types.StateValueOk ||
		other.StateValue != types.StateValueAlarm {
		t.Errorf("the stored alarm is %s, want OK as before; the other one is %s, want ALARM", a.StateValue, other.StateValue)
	}
	d.put(old)
	d.observe("orders", "WriteThrottleEvents", 1)
	d.advance(time.Minute)
	if a := d.alarm(*old.AlarmName); a.StateValue != types.StateValueAlarm {
		t.Errorf("put again, the alarm is %s, want ALARM", a.StateValue)
	}
}
