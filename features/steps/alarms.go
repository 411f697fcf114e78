package steps

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"

	"github.com/tabletop-db/tabletop/emulator"
)

// OnCall is the topic that an alarm must notify for the scenario's webhook to receive it.
const OnCall = "arn:aws:sns:us-east-1:000000000000:on-call"

// webhook records the notifications of a scenario's alarms.
type webhook struct {
	mu       sync.Mutex
	received []string // such as "throttled: OK -> ALARM"
}

func (w *World) alarmSteps() Group {
	return Group{Business: true, Title: "Alarms",
		Intro: "Alarms of the scenario's emulator, by its clock. The webhook is called by alarms with the action `" + OnCall +
			"`. Needs @needs:commands.", Steps: []Step{
			{`^an emulator whose alarms call a webhook$`, func() error {
				return w.RestartWithWebhook()
			}, `an emulator whose alarms call a webhook`, "Starts an empty emulator with strict defaults."},
			{`^the alarm "([^"]*)" is in (\w+)$`, func(ctx context.Context, name, state string) error {
				return w.alarmIs(ctx, name, state, "")
			}, `the alarm "orders-throttled" is in ALARM`, "Its current state: OK, ALARM or INSUFFICIENT_DATA."},
			{`^the alarm "([^"]*)" is in (\w+) because "(.*)"$`, w.alarmIs,
				`the alarm "orders-throttled" is in OK because "1 missing datapoint"`,
				"The same, and the reason contains this text."},
			{`^there is no alarm "([^"]*)"$`, w.noAlarm, `there is no alarm "orders-throttled"`, "No alarm has this name."},
			{`^the webhook is notified that "([^"]*)" went from (\w+) to (\w+)$`, w.webhookReceived,
				`the webhook is notified that "orders-throttled" went from OK to ALARM`,
				"Waits for the notification, which is sent asynchronously."},
			{`^the only notification about "([^"]*)" is that it went from (\w+) to (\w+)$`, w.webhookReceivedOnly,
				`the only notification about "orders-throttled" is that it went from OK to ALARM`,
				"Waits for it as well. Notifications are sent in the order of the changes, so an earlier one has arrived."},
			{`^the webhook was not notified about "([^"]*)"$`, w.webhookNotReceived,
				`the webhook was not notified about "orders-throttled"`, "It has received no notification so far."},
		}}
}

// CloudWatch returns a client for the scenario's target that does not retry.
func (w *World) CloudWatch() *cloudwatch.Client {
	return cloudwatch.NewFromConfig(w.Target.Config, func(o *cloudwatch.Options) { o.Retryer = aws.NopRetryer{} })
}

// Alarm returns the full name of an alarm of the scenario.
func (w *World) Alarm(name string) *string { return w.Table(name) }

// RestartWithWebhook is like Restart, with a webhook of the scenario that receives alarms.
func (w *World) RestartWithWebhook(opts ...emulator.Option) error {
	hook := &webhook{}
	server := httptest.NewServer(hook)
	w.OnClose(func(context.Context) error {
		server.Close()
		return nil
	})
	w.webhook = hook
	return w.Restart(append(opts, emulator.WithAlarmWebhook(server.URL))...)
}

// ServeHTTP records a notification.
func (h *webhook) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	var notification struct{ Type, TopicArn, Message string }
	var message struct{ AlarmName, OldStateValue, NewStateValue string }
	if json.NewDecoder(r.Body).Decode(&notification) != nil || json.Unmarshal([]byte(notification.Message),
		&message) != nil {
		rw.WriteHeader(http.StatusBadRequest)
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if notification.Type == "Notification" && notification.TopicArn == OnCall {
		h.received = append(h.received, fmt.Sprintf("%s: %s -> %s", message.AlarmName, message.OldStateValue,
			message.NewStateValue))
	}
}

// notifications returns the recorded notifications.
func (h *webhook) notifications() string {
	if h == nil {
		return ""
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return strings.Join(h.received, "\n") + "\n"
}

func (w *World) alarm(ctx context.Context, name string) (*types.MetricAlarm, error) {
	out, err := w.CloudWatch().DescribeAlarms(ctx, &cloudwatch.DescribeAlarmsInput{AlarmNames: []string{*w.Alarm(name)}})
	if err != nil || len(out.MetricAlarms) == 0 {
		return nil, err
	}
	return &out.MetricAlarms[0], nil
}

// alarmIs checks an alarm's state and a text in its reason. An empty text matches any reason.
func (w *World) alarmIs(ctx context.Context, name, state, because string) error {
	a, err := w.alarm(ctx, name)
	switch {
	case err != nil:
		return err
	case a == nil:
		return errors.New("there is no such alarm")
	case string(a.StateValue) != state || !strings.Contains(*a.StateReason, because):
		return fmt.Errorf("it is in %s: %s", a.StateValue, *a.StateReason)
	}
	return nil
}

func (w *World) noAlarm(ctx context.Context, name string) error {
	a, err := w.alarm(ctx, name)
	if a != nil {
		err = fmt.Errorf("it is in %s", a.StateValue)
	}
	return err
}

func (w *World) webhookReceived(ctx context.Context, name, was, is string) error {
	want := fmt.Sprintf("%s: %s -> %s\n", *w.Alarm(name), was, is)
	if Await(ctx, ResponseTimeout, func() (bool, error) {
		return strings.Contains(w.webhook.notifications(), want), nil
	}) != nil {
		return fmt.Errorf("it received %q", w.webhook.notifications())
	}
	return nil
}

func (w *World) webhookReceivedOnly(ctx context.Context, name, was, is string) error {
	if err := w.webhookReceived(ctx, name, was, is); err != nil {
		return err
	}
	if all := w.webhook.notifications(); strings.Count(all, *w.Alarm(name)+": ") != 1 {
		return fmt.Errorf("it received %q", all)
	}
	return nil
}

func (w *World) webhookNotReceived(name string) error {
	if all := w.webhook.notifications(); strings.Contains(all, *w.Alarm(name)+": ") {
		return fmt.Errorf("it received %q", all)
	}
	return nil
}
