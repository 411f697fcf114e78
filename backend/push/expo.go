package push

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// Address and limits of Expo's push service, from its documentation.
const (
	ExpoURL         = "https://exp.host" // address of the service
	MaxExpoMessages = 100                // per request
	MaxExpoReceipts = 1000               // per request
)

// Expo sends by Expo's push service to tokens such as ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]. It is safe for
// concurrent use.
type Expo struct {
	base   string
	caller caller

	// AccessToken is sent with each request if it is not empty: a project can be configured to require it.
	AccessToken string
}

// NewExpo returns a sender by the service at baseURL (ExpoURL when empty). A nil client has a timeout of ten seconds; a
// nil wait uses a timer.
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

// expoOutcome is a ticket or a receipt, which have the same form.
type expoOutcome struct {
	Status  string `json:"status"`
	ID      string `json:"id"`
	Details struct {
		Error string `json:"error"`
	} `json:"details"`
}

type expoResponse[T any] struct {
	Data   T `json:"data"`
	Errors []struct {
		Code string `json:"code"`
	} `json:"errors"`
}

// Send sends messages to Expo, up to 100 per request. A result without an error means that Expo has the message, not
// that the phone has: what Apple or Google answered is in the receipt, some time later. A token that is not in Expo's
// format gets ErrInvalid and is not sent: it would make Expo refuse the whole request.
func (e *Expo) Send(ctx context.Context, messages []Message) ([]Result, error) {
	results := make([]Result, len(messages))
	var valid []int // indexes of the messages to send
	for i, m := range messages {
		results[i] = Result{Token: m.To, Err: withCode(ErrInvalid, "malformed token")}
		if expoToken.MatchString(m.To) {
			results[i].Err = ErrUnavailable // until it is sent
			valid = append(valid, i)
		}
	}
	for chunk := range slices.Chunk(valid, MaxExpoMessages) {
		if err := e.sendChunk(ctx, messages, chunk, results); err != nil {
			return results, err
		}
	}
	return results, nil
}

// expoToken matches what Expo's own libraries accept as a token.
var expoToken = lazyregexp.New(
	`^(Expo(nent)?PushToken\[.+\]|(?i:[a-z\d]{8}-[a-z\d]{4}-[a-z\d]{4}-[a-z\d]{4}-[a-z\d]{12}))$`)

// sendChunk sends the messages at these indexes, at most 100, and retries those for which Expo was too busy.
func (e *Expo) sendChunk(ctx context.Context, messages []Message, pending []int, results []Result) error {
	for budget := newRetryBudget(); ; {
		tickets, err := e.tickets(ctx, budget, messages, pending)
		if err != nil {
			return err
		}
		var limited []int
		for i, index := range pending {
			results[index] = Result{Token: messages[index].To, ID: tickets[i].id, Err: tickets[i].err}
			if errors.Is(tickets[i].err, ErrRateLimited) && !tickets[i].wholeRequest {
				limited = append(limited, index)
			}
		}
		if len(limited) == 0 {
			return nil
		}
		if retry, err := budget.next(ctx, e.caller.wait, 0); !retry || err != nil {
			return err
		}
		pending = limited
	}
}

// ticket is the result of one message; whole reports that it is the result of the whole request.
type ticket struct {
	id           string
	err          error
	wholeRequest bool
}

// tickets sends the messages at these indexes in one request and returns a ticket for each.
func (e *Expo) tickets(ctx context.Context, budget *retryBudget, messages []Message, indexes []int) ([]ticket, error) {
	body := make([]expoMessage, len(indexes))
	for i, n := range indexes {
		body[i] = expoMessage(messages[n])
	}
	var outcomes []expoOutcome
	failed, err := expoCall(ctx, e, budget, "send", body, &outcomes)
	if err != nil {
		return nil, err
	}
	if failed == nil && len(outcomes) != len(indexes) {
		failed = withCode(ErrUnavailable, unreadableResponse)
	}
	tickets := make([]ticket, len(indexes))
	for i := range tickets {
		if failed != nil {
			tickets[i] = ticket{err: failed, wholeRequest: true}
			continue
		}
		tickets[i] = ticket{id: outcomes[i].ID, err: outcomes[i].err()}
	}
	return tickets, nil
}

// Receipts returns the receipts of tickets: nil where Apple or Google accepted the message, otherwise one of this
// package's errors. A ticket that is missing in the result has no receipt: not yet (Expo recommends to ask after 15
// minutes) or, after a day, no longer. Errors: the request failed.
func (e *Expo) Receipts(ctx context.Context, ids []string) (map[string]error, error) {
	found := make(map[string]error, len(ids))
	for chunk := range slices.Chunk(ids, MaxExpoReceipts) {
		var outcomes map[string]expoOutcome
		failed, err := expoCall(ctx, e, newRetryBudget(), "getReceipts", map[string][]string{"ids": chunk}, &outcomes)
		if err := errors.Join(failed, err); err != nil {
			return found, err
		}
		for id, o := range outcomes {
			found[id] = o.err()
		}
	}
	return found, nil
}

// expoCall posts body and decodes the data of the response into data. failed is the failure of the whole request; err
// is the error of ctx.
func expoCall[T any](ctx context.Context, e *Expo, budget *retryBudget, path string, body any,
	data *T) (failed, err error) {
	text, err := json.Marshal(body)
	if err != nil {
		return withCode(ErrInvalid, ""), nil
	}
	a, err := e.caller.do(ctx, budget, func() (*http.Request, error) {
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
	return decodeExpo(a, data), nil
}

// decodeExpo decodes the data of a response, or returns the failure of the whole request.
func decodeExpo[T any](a response, data *T) error {
	var body expoResponse[T]
	readable := json.Unmarshal(a.body, &body) == nil
	switch {
	case readable && len(body.Errors) > 0:
		return a.expoFailure(body.Errors[0].Code)
	case a.status != http.StatusOK || !readable:
		return a.expoFailure("")
	}
	*data = body.Data
	return nil
}

// expoFailure returns the failure of a whole request. A response with status 200 can be one too.
func (r response) expoFailure(code string) error {
	switch {
	case code == "TOO_MANY_REQUESTS":
		return withCode(ErrRateLimited, code)
	case code == "UNAUTHORIZED":
		return withCode(ErrCredentials, code)
	case r.status == http.StatusOK && code == "":
		return withCode(ErrUnavailable, unreadableResponse)
	}
	return r.failure(code)
}

// err returns the error of a ticket or receipt, mapped from the codes that Expo documents.
func (o expoOutcome) err() error {
	if o.Status == "ok" {
		return nil
	}
	code := safeCode(o.Details.Error)
	switch code {
	case "DeviceNotRegistered":
		return withCode(ErrUnregistered, code)
	case "MessageTooBig":
		return withCode(ErrTooBig, code)
	case "MessageRateExceeded":
		return withCode(ErrRateLimited, code)
	case "InvalidCredentials", "MismatchSenderId", "InvalidProviderToken":
		return withCode(ErrCredentials, code)
	}
	return withCode(ErrInvalid, code)
}
