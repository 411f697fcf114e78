package push

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// Limits of Expo's push service, by its documentation.
const (
	ExpoURL         = "https://exp.host" // where the service is
	MaxExpoMessages = 100                // in one request
	MaxExpoReceipts = 1000               // in one request
)

// Expo sends by Expo's push service, to tokens such as ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]. It is safe for
// concurrent use.
type Expo struct {
	base   string
	caller caller

	// AccessToken is sent with each request where it is not empty: the service can be set to demand it.
	AccessToken string
}

// NewExpo sends by the service at baseURL, ExpoURL where it is empty. A nil client has a timeout of ten seconds, a nil
// wait is a timer.
func NewExpo(baseURL string, client *http.Client, wait Wait) *Expo {
	if baseURL == "" {
		baseURL = ExpoURL
	}
	return &Expo{base: strings.TrimSuffix(baseURL, "/"), caller: newCaller(client, wait)}
}

type expoMessage struct {
	To    string            `json:"to"`
	Title string            `json:"title,omitempty"`
	Body  string            `json:"body,omitempty"`
	Data  map[string]string `json:"data,omitempty"`
}

// expoOutcome is a ticket or a receipt: they have the same form.
type expoOutcome struct {
	Status  string `json:"status"`
	ID      string `json:"id"`
	Details struct {
		Error string `json:"error"`
	} `json:"details"`
}

type expoAnswer[T any] struct {
	Data   T `json:"data"`
	Errors []struct {
		Code string `json:"code"`
	} `json:"errors"`
}

// Send hands messages to Expo, up to 100 a request. A result without an error means that Expo has the message, not that
// the phone has: what Apple and Google said of it is in the receipt, some time later. A token that does not look like
// one of Expo's is ErrInvalid without being sent: it would have the whole request refused.
func (e *Expo) Send(ctx context.Context, messages []Message) ([]Result, error) {
	results := make([]Result, len(messages))
	var good []int // places of the messages that are sent
	for i, m := range messages {
		results[i] = Result{Token: m.To, Err: errorOf(ErrInvalid, "malformed token")}
		if expoToken.MatchString(m.To) {
			good = append(good, i)
		}
	}
	for chunk := range slices.Chunk(good, MaxExpoMessages) {
		if err := e.sendChunk(ctx, messages, chunk, results); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// expoToken is what Expo's own libraries take for a token.
var expoToken = regexp.MustCompile(`^(Expo(nent)?PushToken\[.+\]|(?i:[a-z\d]{8}-[a-z\d]{4}-[a-z\d]{4}-[a-z\d]{4}-[a-z\d]{12}))$`)

// sendChunk sends the messages at these places, at most 100, and again those that Expo was too busy for.
func (e *Expo) sendChunk(ctx context.Context, messages []Message, pending []int, results []Result) error {
	for tries := newRetries(); ; {
		tickets, err := e.tickets(ctx, tries, messages, pending)
		if err != nil {
			return err
		}
		var limited []int
		for i, at := range pending {
			results[at] = Result{Token: messages[at].To, ID: tickets[i].id, Err: tickets[i].err}
			if errors.Is(tickets[i].err, ErrRateLimited) && !tickets[i].whole {
				limited = append(limited, at)
			}
		}
		if len(limited) == 0 {
			return nil
		}
		if again, err := tries.another(ctx, e.caller.wait, 0); !again || err != nil {
			return err
		}
		pending = limited
	}
}

// ticket is the answer to one message; whole when it is the answer to the request.
type ticket struct {
	id    string
	err   error
	whole bool
}

// tickets sends the messages at these places in one request and returns a ticket for each.
func (e *Expo) tickets(ctx context.Context, tries *retries, messages []Message, at []int) ([]ticket, error) {
	body := make([]expoMessage, len(at))
	for i, n := range at {
		body[i] = expoMessage(messages[n])
	}
	var outcomes []expoOutcome
	failed, err := expoCall(ctx, e, tries, "send", body, &outcomes)
	if err != nil {
		return nil, err
	}
	if failed == nil && len(outcomes) != len(at) {
		failed = errorOf(ErrUnavailable, unreadable)
	}
	tickets := make([]ticket, len(at))
	for i := range tickets {
		if failed != nil {
			tickets[i] = ticket{err: failed, whole: true}
			continue
		}
		tickets[i] = ticket{id: outcomes[i].ID, err: outcomes[i].err()}
	}
	return tickets, nil
}

// Receipts asks what became of messages by their tickets: nil where Apple or Google took it, one of this package's
// errors where not. A ticket that is not in the answer has no receipt: not yet (Expo says to ask after 15 minutes) or,
// after a day, no more. The second result is not nil when the service could not be asked.
func (e *Expo) Receipts(ctx context.Context, ids []string) (map[string]error, error) {
	found := make(map[string]error, len(ids))
	for chunk := range slices.Chunk(ids, MaxExpoReceipts) {
		var outcomes map[string]expoOutcome
		failed, err := expoCall(ctx, e, newRetries(), "getReceipts", map[string][]string{"ids": chunk}, &outcomes)
		if err := errors.Join(failed, err); err != nil {
			return found, err
		}
		for id, o := range outcomes {
			found[id] = o.err()
		}
	}
	return found, nil
}

// expoCall posts body and decodes the data of the answer into data. failed is the failure of the whole request, err
// that of ctx.
func expoCall[T any](ctx context.Context, e *Expo, tries *retries, path string, body any, data *T) (failed, err error) {
	text, err := json.Marshal(body)
	if err != nil {
		return errorOf(ErrInvalid, ""), nil
	}
	a, err := e.caller.do(ctx, tries, func() (*http.Request, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.base+"/--/api/v2/push/"+path, bytes.NewReader(text))
		if err != nil {
			return nil, err
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json")
		if e.AccessToken != "" {
			req.Header.Set("Authorization", "Bearer "+e.AccessToken)
		}
		return req, nil
	})
	if err != nil {
		return nil, err
	}
	return expoRead(a, data), nil
}

// expoRead decodes the data of an answer, or returns the failure of the whole request.
func expoRead[T any](a answer, data *T) error {
	var said expoAnswer[T]
	readable := json.Unmarshal(a.body, &said) == nil
	switch {
	case readable && len(said.Errors) > 0:
		return a.expoFailure(said.Errors[0].Code)
	case a.status != http.StatusOK || !readable:
		return a.expoFailure("")
	}
	*data = said.Data
	return nil
}

// expoFailure is the failure of a whole request. An answer of 200 can be one too.
func (a answer) expoFailure(code string) error {
	switch {
	case code == "TOO_MANY_REQUESTS":
		return errorOf(ErrRateLimited, code)
	case code == "UNAUTHORIZED":
		return errorOf(ErrCredentials, code)
	case a.status == http.StatusOK && code == "":
		return errorOf(ErrUnavailable, unreadable)
	}
	return a.failure(code)
}

// err is what a ticket or receipt says, by the errors that Expo documents.
func (o expoOutcome) err() error {
	if o.Status == "ok" {
		return nil
	}
	code := word(o.Details.Error)
	switch code {
	case "DeviceNotRegistered":
		return errorOf(ErrUnregistered, code)
	case "MessageTooBig":
		return errorOf(ErrTooBig, code)
	case "MessageRateExceeded":
		return errorOf(ErrRateLimited, code)
	case "InvalidCredentials", "MismatchSenderId", "InvalidProviderToken":
		return errorOf(ErrCredentials, code)
	}
	return errorOf(ErrInvalid, code)
}
