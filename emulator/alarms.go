package emulator

import (
	"fmt"
	"net/url"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
	"github.com/tabletop-db/tabletop/emulator/internal/cloudwatch"
)

// WithAlarmWebhook sets the URL for the actions of CloudWatch alarms: each state change that has an action is posted
// there in the format of an SNS notification to an HTTP endpoint. By default actions fail, and the alarm's history
// shows it. Start fails if the URL is not http or https.
func WithAlarmWebhook(url string) Option { return func(o *options) { o.webhook.URL = url } }

// WithAlarmTopic sets the URL for alarm actions whose ARN is topic, such as arn:aws:sns:us-east-1:000000000000:on-call.
// All other actions go to the URL of WithAlarmWebhook.
func WithAlarmTopic(topic, url string) Option {
	return func(o *options) {
		if o.webhook.Topics == nil {
			o.webhook.Topics = map[string]string{}
		}
		o.webhook.Topics[topic] = url
	}
}

// WebhookError reports that the URL for alarm actions is not an HTTP URL.
type WebhookError struct{ URL string }

func (e *WebhookError) Error() string {
	return fmt.Sprintf("%q is not an http or https URL: use one such as http://127.0.0.1:9000/alarms", e.URL)
}

// checkWebhook returns a WebhookError unless all URLs are http or https with a host. The default URL may be empty.
func checkWebhook(w cloudwatch.Webhook) error {
	all := []string{w.URL}
	for _, topic := range w.Topics {
		all = append(all, topic)
	}
	for i, text := range all {
		if i == 0 && text == "" {
			continue
		}
		u, err := url.Parse(text)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return &WebhookError{text}
		}
	}
	return nil
}

// openAlarms opens CloudWatch on the store and on the emulator's metrics.
func (e *Emulator) openAlarms(o options) (err error) {
	e.alarms, err = cloudwatch.New(cloudwatch.Config{
		Store: e.store, Clock: e.clock, Metrics: e.metrics.registry, Logger: o.logger, Spaces: o.spaces(), Seed: o.seed,
		AccountID: accounts.ID(o.accountID), Gate: e.identity.Gate("monitoring"), Running: e.running, Webhook: o.webhook,
		Pool: e.pool, Insights: e.insightRules,
	})
	return err
}
