package push

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"time"
	"unicode"

	"github.com/cenkalti/backoff/v5"

	"github.com/tabletop-db/tabletop/backend/internal/retry"
	"github.com/tabletop-db/tabletop/internal/util/pause"
)

const (
	firstPause       = time.Second      // mean, before the second attempt; doubles with each attempt
	maxTotalPause    = 30 * time.Second // maximum sum of one message's pauses, for which the caller waits
	maxAttempts      = 5
	callTimeout      = 10 * time.Second // of one attempt
	maxResponseBytes = 1 << 20          // maximum response body, in bytes

	idleConnections = 32
)

// caller sends requests to a push service and retries where a retry may help.
type caller struct {
	client     *http.Client
	wait       Wait
	quotaPause time.Duration // pause after a 429 that does not ask for one
}

func newCaller(client *http.Client, wait Wait) caller {
	if client == nil {
		client = NewClient(unwrapped)
	}
	if wait == nil {
		wait = pause.For
	}
	return caller{client: client, wait: wait}
}

// NewClient returns the client that senders other than APNs use by default, with its transport wrapped by wrap.
func NewClient(wrap func(http.RoundTripper) http.RoundTripper) *http.Client {
	return &http.Client{Timeout: callTimeout, Transport: wrap(transport())}
}

func unwrapped(t http.RoundTripper) http.RoundTripper { return t }

// transport keeps as many idle connections as pushes usually are in flight, where the default keeps two.
func transport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = idleConnections
	return t
}

// response is the response of a service. A status of 0 means that there was none.
type response struct {
	status int
	header http.Header
	body   []byte
}

// busy reports whether the service may accept the same request later.
func (r response) busy() bool {
	return r.status == 0 || r.status == http.StatusTooManyRequests || r.status >= 500
}

// retryBudget counts the attempts and pauses of one message, or of the messages that share a request.
type retryBudget struct {
	attempts int
	waited   time.Duration
	pauses   *backoff.ExponentialBackOff
}

func newRetryBudget() *retryBudget {
	return &retryBudget{pauses: retry.Pauses(firstPause, maxTotalPause)}
}

// next pauses before the next attempt and reports whether there is one. retryAfter is the pause that the service asks
// for, or 0. If it exceeds what is left of maxTotalPause, there is no next attempt.
func (r *retryBudget) next(ctx context.Context, wait Wait, retryAfter time.Duration) (bool, error) {
	d := max(retryAfter, r.pauses.NextBackOff())
	r.attempts++
	if r.attempts >= maxAttempts || r.waited+d > maxTotalPause {
		return false, ctx.Err()
	}
	r.waited += d
	return true, wait(ctx, d)
}

// do sends the request that build returns, and retries while the service is busy. Errors: only that of ctx.
func (c caller) do(ctx context.Context, budget *retryBudget, build func() (*http.Request, error)) (response, error) {
	for {
		a, err := c.attempt(ctx, build)
		if err != nil || !a.busy() {
			return a, err
		}
		if retry, err := budget.next(ctx, c.wait, c.retryAfter(a)); !retry || err != nil {
			return a, err
		}
	}
}

func (c caller) attempt(ctx context.Context, build func() (*http.Request, error)) (response, error) {
	req, err := build()
	if err != nil {
		return response{}, ctx.Err() // an invalid address counts as unreachable
	}
	res, err := c.client.Do(req.WithContext(ctx))
	if err != nil {
		return response{}, ctx.Err() // the error itself contains the address and, for APNs, the token
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(res.Body, maxResponseBytes))
	if err != nil {
		return response{}, ctx.Err()
	}
	return response{status: res.StatusCode, header: res.Header, body: body}, nil
}

// retryAfter returns the pause that the service asks for; 0 when it asks for none.
func (c caller) retryAfter(a response) time.Duration {
	if retryAfter := a.retryAfter(); retryAfter > 0 || a.status != http.StatusTooManyRequests {
		return retryAfter
	}
	return c.quotaPause
}

// retryAfter returns the pause of the Retry-After header: seconds, or a date relative to the service's own Date.
func (r response) retryAfter() time.Duration {
	text := r.header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	until, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(r.header.Get("Date"))
	if err != nil {
		return 0
	}
	return max(0, until.Sub(now))
}

// failure maps a response that is not a success by its status; code is the service's error code.
func (r response) failure(code string) error {
	code = safeCode(code)
	switch {
	case r.status == http.StatusTooManyRequests:
		return withCode(ErrRateLimited, code)
	case r.status == 0 || r.status >= 500:
		return withCode(ErrUnavailable, code)
	case r.status == http.StatusUnauthorized || r.status == http.StatusForbidden:
		return withCode(ErrCredentials, code)
	case r.status == http.StatusRequestEntityTooLarge:
		return withCode(ErrTooBig, code)
	}
	return withCode(ErrInvalid, code)
}

// safeCode returns a service's error code if it looks like one: any other text may repeat what was sent.
func safeCode(code string) string {
	if len(code) > 40 {
		return ""
	}
	for _, r := range code {
		if r > unicode.MaxASCII || r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return ""
		}
	}
	return code
}

// unreadableResponse is the code of a response that lacks a required part.
const unreadableResponse = "unreadable answer"
