package push

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// FCMURL is the address of Firebase Cloud Messaging.
const FCMURL = "https://fcm.googleapis.com"

// maxConcurrent is the number of concurrent requests to a service that accepts one message per request.
const maxConcurrent = 8

// quotaPause is the pause after a quota error of FCM that does not ask for one.
const quotaPause = time.Minute

// FCM sends by the HTTP v1 API of Firebase Cloud Messaging to registration tokens. It is safe for concurrent use.
type FCM struct {
	address string
	bearer  func(context.Context) (string, error)
	caller  caller
}

// NewFCM returns a sender for a Firebase project by the service at baseURL (FCMURL when empty). bearer returns a valid
// OAuth 2 access token for the scope firebase.messaging; it is called for each attempt. A nil client has a timeout of
// ten seconds; a nil wait uses a timer.
func NewFCM(baseURL, project string, bearer func(context.Context) (string, error), client *http.Client,
	wait Wait) *FCM {
	if baseURL == "" {
		baseURL = FCMURL
	}
	address := strings.TrimSuffix(baseURL, "/") + "/v1/projects/" + url.PathEscape(project) + "/messages:send"
	c := newCaller(client, wait)
	c.quotaPause = quotaPause
	return &FCM{address: address, bearer: bearer, caller: c}
}

type fcmRequest struct {
	Message fcmMessage `json:"message"`
}

type fcmMessage struct {
	Token        string            `json:"token"`
	Notification fcmNotification   `json:"notification"`
	Data         map[string]string `json:"data,omitempty"`
}

type fcmNotification struct {
	Title string `json:"title,omitempty"`
	Body  string `json:"body,omitempty"`
}

// fcmResponse is a message's name, or a google.rpc.Status with FCM's own code in its details.
type fcmResponse struct {
	Name  string `json:"name"`
	Error struct {
		Message string `json:"message"`
		Status  string `json:"status"`
		Details []struct {
			ErrorCode string `json:"errorCode"`
		} `json:"details"`
	} `json:"error"`
}

// Send sends each message in a request of its own, eight at a time.
func (f *FCM) Send(ctx context.Context, messages []Message) ([]Result, error) {
	return each(ctx, messages, f.sendOne)
}

// each sends every message in a call of its own, several at a time, and returns the results in the messages' order.
func each(ctx context.Context, messages []Message, send func(context.Context, Message) (Result, error)) ([]Result,
	error) {
	results := make([]Result, len(messages))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(maxConcurrent)
	for i, m := range messages {
		g.Go(func() (err error) {
			if results[i], err = send(ctx, m); err != nil {
				results[i] = Result{Token: m.To, Err: ErrUnavailable}
			}
			return err
		})
	}
	return results, g.Wait()
}

func (f *FCM) sendOne(ctx context.Context, m Message) (Result, error) {
	result := Result{Token: m.To}
	text, err := json.Marshal(fcmRequest{fcmMessage{m.To, fcmNotification{m.Title, m.Body}, m.Data}})
	if err != nil {
		result.Err = ErrInvalid
		return result, nil
	}
	var tokenErr error
	a, err := f.caller.do(ctx, newRetryBudget(), func() (*http.Request, error) {
		var bearer string
		if bearer, tokenErr = f.bearer(ctx); tokenErr != nil {
			return nil, tokenErr
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, f.address, bytes.NewReader(text))
		if err != nil {
			return nil, err
		}
		req.Header.Set("Content-Type", "application/json; charset=UTF-8")
		req.Header.Set("Authorization", "Bearer "+bearer)
		return req, nil
	})
	switch {
	case err != nil:
		return result, err
	case tokenErr != nil:
		result.Err = withCode(ErrCredentials, "no access token")
	default:
		result.ID, result.Err = a.fcmResult()
	}
	return result, nil
}

// fcmResult returns the message's name, or the error mapped from the codes that FCM documents.
func (r response) fcmResult() (string, error) {
	var body fcmResponse
	readable := json.Unmarshal(r.body, &body) == nil
	if r.status == http.StatusOK {
		if !readable || body.Name == "" {
			return "", withCode(ErrUnavailable, unreadableResponse)
		}
		return body.Name, nil
	}
	code := body.Error.Status
	for _, d := range body.Error.Details {
		if d.ErrorCode != "" {
			code = d.ErrorCode
		}
	}
	switch {
	case code == "UNREGISTERED":
		return "", withCode(ErrUnregistered, code)
	case code == "INVALID_ARGUMENT" && strings.Contains(strings.ToLower(body.Error.Message), "too big"):
		return "", withCode(ErrTooBig, code)
	}
	return "", r.failure(code)
}
