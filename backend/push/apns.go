package push

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Addresses of Apple Push Notification service (APNs).
const (
	APNsURL            = "https://api.push.apple.com"
	APNsDevelopmentURL = "https://api.sandbox.push.apple.com"
)

// APNs sends by Apple Push Notification service over HTTP/2 to hexadecimal device tokens. It is safe for concurrent
// use.
type APNs struct {
	base   string
	topic  string
	tokens *providerToken
	caller caller
}

// NewAPNs returns a sender to the app with this topic, its bundle id, by the service at baseURL (APNsURL when empty).
// key signs the provider tokens, dated by now. A nil client speaks HTTP/2, without TLS if the address is http, with a
// timeout of ten seconds; a nil wait uses a timer.
func NewAPNs(baseURL, topic string, key Key, now func() time.Time, client *http.Client, wait Wait) *APNs {
	if baseURL == "" {
		baseURL = APNsURL
	}
	if client == nil {
		client = NewAPNsClient(unwrapped)
	}
	return &APNs{
		base: strings.TrimSuffix(baseURL, "/"), topic: topic, caller: newCaller(client, wait),
		tokens: &providerToken{key: key, now: now},
	}
}

// NewAPNsClient returns the client that an APNs sender uses by default, with its transport wrapped by wrap.
func NewAPNsClient(wrap func(http.RoundTripper) http.RoundTripper) *http.Client {
	return &http.Client{Timeout: callTimeout, Transport: wrap(http2Transport())}
}

// http2Transport returns a transport that speaks only HTTP/2, as APNs does.
func http2Transport() *http.Transport {
	t := transport()
	t.Protocols = new(http.Protocols)
	t.Protocols.SetHTTP2(true)
	t.Protocols.SetUnencryptedHTTP2(true)
	return t
}

type apnsResponse struct {
	Reason    string `json:"reason"`
	Timestamp int64  `json:"timestamp"` // milliseconds, with Unregistered
}

// Send sends each message in a request of its own, eight at a time over one connection.
func (s *APNs) Send(ctx context.Context, messages []Message) ([]Result, error) {
	return each(ctx, messages, s.sendOne)
}

func (s *APNs) sendOne(ctx context.Context, m Message) (Result, error) {
	text, err := apnsPayload(m)
	if err != nil {
		return Result{Token: m.To, Err: ErrInvalid}, nil
	}
	result, stale, err := s.try(ctx, m.To, text)
	if stale && err == nil { // the service counts the hour by its own clock
		result, _, err = s.try(ctx, m.To, text)
	}
	return result, err
}

// try sends a payload. stale reports that the service found the provider token too old and a new one can be made.
func (s *APNs) try(ctx context.Context, to string, payload []byte) (result Result, stale bool, err error) {
	bearer, err := s.tokens.get()
	if err != nil {
		return Result{Token: to, Err: withCode(ErrCredentials, "the key cannot sign")}, false, nil
	}
	a, err := s.caller.do(ctx, newRetryBudget(), func() (*http.Request, error) {
		return s.request(ctx, to, bearer, payload)
	})
	if err != nil {
		return Result{}, false, err
	}
	return a.apnsResult(to), a.apnsBody().Reason == "ExpiredProviderToken" && s.tokens.discard(bearer), nil
}

func (r response) apnsBody() (body apnsResponse) {
	_ = json.Unmarshal(r.body, &body) // without a reason, the status is enough
	return body
}

// apnsResult returns the result of the message to a token.
func (r response) apnsResult(to string) Result {
	if r.status == http.StatusOK {
		return Result{Token: to, ID: r.header.Get("apns-id")}
	}
	body := r.apnsBody()
	result := Result{Token: to, Err: r.apnsFailure(body.Reason)}
	if body.Reason == "Unregistered" && body.Timestamp > 0 {
		result.Since = time.UnixMilli(body.Timestamp).UTC()
	}
	return result
}

func (s *APNs) request(ctx context.Context, to, bearer string, payload []byte) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.base+"/3/device/"+url.PathEscape(to),
		bytes.NewReader(payload))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "bearer "+bearer)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("apns-topic", s.topic)
	req.Header.Set("apns-push-type", "alert")
	return req, nil
}

// apnsPayload encodes what the phone shows, under aps, next to the app's data.
func apnsPayload(m Message) ([]byte, error) {
	payload := make(map[string]any, len(m.Data)+1)
	for name, value := range m.Data {
		payload[name] = value
	}
	payload["aps"] = map[string]any{"alert": map[string]string{"title": m.Title, "body": m.Body}}
	return json.Marshal(payload)
}

// apnsFailure maps the documented reasons; the status decides for all others. A token of another environment or app is
// not a dead token: the operator must correct the configuration.
func (r response) apnsFailure(reason string) error {
	switch reason {
	case "Unregistered", "ExpiredToken":
		return withCode(ErrUnregistered, reason)
	case "PayloadTooLarge":
		return withCode(ErrTooBig, reason)
	case "DeviceTokenNotForTopic", "TopicDisallowed", "MissingTopic", "BadTopic", "MissingProviderToken":
		return withCode(ErrCredentials, reason)
	}
	return r.failure(reason)
}
