package emulator

import (
	"fmt"
	"net/url"

	"github.com/tabletop-db/tabletop/emulator/internal/cloudwatch"
)

// WithAlarmWebhook sets where the actions of CloudWatch alarms go: each change of state that has an action is posted
// there as SNS posts a notification to an HTTP endpoint. By default actions fail, which the alarm's history tells. A
// URL that is not http or https makes Start fail.
func WithAlarmWebhook(url string) Option { return func(o *options) { o.webhook.URL = url } }

// WithAlarmTopic sets where those actions go whose ARN is topic's, such as
// arn:aws:sns:us-east-1:000000000000:on-call; all others go where WithAlarmWebhook says.
func WithAlarmTopic(topic, url string) Option {
	return func(o *options) {
		if o.webhook.Topics == nil {
			o.webhook.Topics = map[string]string{}
		}
		o.webhook.Topics[topic] = url
	}
}

// WebhookError is an address for the actions of alarms that is no URL of HTTP.
type WebhookError struct{ URL string }

func (e *WebhookError) Error() string {
	return fmt.Sprintf("the actions of alarms cannot go to %q: give a URL such as http://127.0.0.1:9000/alarms", e.URL)
}

// checkWebhook refuses what nothing can be posted to.
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

// openAlarms opens CloudWatch on the state and on what is measured.
func (e *Emulator) openAlarms(o options) (err error) {
	e.alarms, err = cloudwatch.New(cloudwatch.Config{
		Store: e.store, Clock: e.clock, Metrics: e.measures.registry, Logger: o.logger, Isolate: o.isolate, Seed: o.seed,
		Gate: e.identity.Gate("monitoring"), Webhook: o.webhook, Pool: e.pool,
	})
	return err
}
