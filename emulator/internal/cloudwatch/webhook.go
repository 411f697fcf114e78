package cloudwatch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"runtime/debug"
	"sync"
	"time"
)

// Webhook configures where the actions of alarms are sent.
type Webhook struct {
	URL    string            // of topics without a URL of their own; empty: these fail
	Topics map[string]string // URLs by the ARN of a topic
}

func (w Webhook) of(arn string) string {
	if own, ok := w.Topics[arn]; ok {
		return own
	}
	return w.URL
}

// How a notification is sent: the number that may wait, the pauses before each try, and the timeout of a try.
const (
	maxPending     = 1000
	attemptTimeout = 5 * time.Second
)

func retryDelays() []time.Duration {
	return []time.Duration{0, 100 * time.Millisecond, time.Second, 5 * time.Second}
}

// Reasons why a notification is not sent.
var (
	errNoWebhook = errors.New("it has no webhook: start the emulator with --alarm-webhook")
	errTooMany   = fmt.Errorf("%d notifications are already queued: check that the webhook is reachable", maxPending)
)

// sender posts notifications one after the other, independently of the clock. The first one starts its goroutine.
type sender struct {
	webhook     Webhook
	retryDelays []time.Duration // before each try
	done        func(n *notification, failure error)

	panicked func(reason any, stack []byte)
	client   *http.Client
	waiting  chan *notification
	start    sync.Once
	context  context.Context
	cancel   context.CancelFunc
	ended    sync.WaitGroup
}

func newSender(w Webhook, done func(*notification, error), panicked func(reason any, stack []byte)) *sender {
	s := &sender{webhook: w, retryDelays: retryDelays(), done: done, panicked: panicked, client: newClient(),
		waiting: make(chan *notification, maxPending)}
	s.context, s.cancel = context.WithCancel(context.Background())
	return s
}

// newClient returns a client that does not follow redirects: the command line determines where notifications go, and a
// redirect is a failure like any other.
func newClient() *http.Client {
	return &http.Client{Timeout: attemptTimeout, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
}

// send queues a notification. It does not wait.
func (s *sender) send(n *notification) error {
	if s.webhook.of(n.action) == "" {
		return errNoWebhook
	}
	select {
	case s.waiting <- n:
	default:
		return errTooMany
	}
	s.start.Do(func() { s.ended.Go(s.run) })
	return nil
}

func (s *sender) close() {
	s.cancel()
	s.ended.Wait()
}

func (s *sender) run() {
	for {
		select {
		case <-s.context.Done():
			return
		case n := <-s.waiting:
			s.handle(n)
		}
	}
}

// handle delivers a notification and reports the result. A panic ends neither the process nor the later notifications.
func (s *sender) handle(n *notification) {
	defer func() {
		if reason := recover(); reason != nil {
			s.panicked(reason, debug.Stack())
		}
	}()
	err := s.deliver(n)
	if s.context.Err() == nil {
		s.done(n, err)
	}
}

// deliver posts a notification until the webhook accepts it or all tries have failed.
func (s *sender) deliver(n *notification) error {
	body, err := json.Marshal(n.envelope())
	if err != nil {
		return err
	}
	for _, pause := range s.retryDelays {
		select {
		case <-s.context.Done():
			return s.context.Err()
		case <-time.After(pause):
		}
		if err = s.post(n, body); err == nil {
			return nil
		}
	}
	return fmt.Errorf("the webhook did not accept it in %d attempts: %w", len(s.retryDelays), err)
}

func (s *sender) post(n *notification, body []byte) error {
	r, err := http.NewRequestWithContext(s.context, http.MethodPost, s.webhook.of(n.action), bytes.NewReader(body))
	if err != nil {
		return err
	}
	for name, value := range map[string]string{
		"Content-Type":           "text/plain; charset=UTF-8",
		"User-Agent":             "Amazon Simple Notification Service Agent",
		"x-amz-sns-message-type": "Notification",
		"x-amz-sns-message-id":   n.id,
		"x-amz-sns-topic-arn":    n.action,
	} {
		r.Header.Set(name, value)
	}
	answer, err := s.client.Do(r)
	if err != nil {
		return withoutURL(err)
	}
	defer answer.Body.Close()
	if _, err := io.CopyN(io.Discard, answer.Body, 64<<10); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if answer.StatusCode < 200 || answer.StatusCode > 299 {
		return fmt.Errorf("it responded with %s", answer.Status)
	}
	return nil
}

// withoutURL returns a request's error without the URL, since that of a webhook may contain a secret.
func withoutURL(err error) error {
	var of *url.Error
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}
