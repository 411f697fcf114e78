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
	firstPause  = time.Second      // mean, before the second attempt; doubles with each attempt
	patience    = 30 * time.Second // maximum sum of one message's pauses, for which the caller waits
	maxTries    = 5
	callTimeout = 10 * time.Second // of one attempt
	maxAnswer   = 1 << 20          // maximum response body, in bytes

	idleConnections = 32
)

// caller sends requests to a push service and retries where a retry may help.
type caller struct {
	client *http.Client
	wait   Wait
	quota  time.Duration // pause after a 429 that does not ask for one
}

func newCaller(client *http.Client, wait Wait) caller {
	if client == nil {
		client = NewClient(func(t http.RoundTripper) http.RoundTripper { return t })
	}
	if wait == nil {
		wait = pause.For
	}
	return caller{client: client, wait: wait}
}

// NewClient returns the client that senders use by default, with its transport wrapped by around.
func NewClient(around func(http.RoundTripper) http.RoundTripper) *http.Client {
	return &http.Client{Timeout: callTimeout, Transport: around(transport())}
}

// transport keeps as many idle connections as pushes usually are in flight, where the default keeps two.
func transport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = idleConnections
	return t
}

// answer is the response of a service. A status of 0 means that there was none.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// busy reports whether the service may accept the same request later.
func (a answer) busy() bool {
	return a.status == 0 || a.status == http.StatusTooManyRequests || a.status >= 500
}

// retries counts the attempts and pauses of one message, or of the messages that share a request.
type retries struct {
	tries  int
	spent  time.Duration
	pauses *backoff.ExponentialBackOff
}

func newRetries() *retries { return &retries{pauses: retry.Pauses(firstPause, patience)} }

// another pauses before the next attempt and reports whether there is one. asked is the pause that the service asks
// for, or 0. If it exceeds what is left of patience, there is no next attempt.
func (r *retries) another(ctx context.Context, wait Wait, asked time.Duration) (bool, error) {
	d := max(asked, r.pauses.NextBackOff())
	r.tries++
	if r.tries >= maxTries || r.spent+d > patience {
		return false, ctx.Err()
	}
	r.spent += d
	return true, wait(ctx, d)
}

// do sends the request that build returns, and retries while the service is busy. Errors: only that of ctx.
func (c caller) do(ctx context.Context, tries *retries, build func() (*http.Request, error)) (answer, error) {
	for {
		a, err := c.once(ctx, build)
		if err != nil || !a.busy() {
			return a, err
		}
		if again, err := tries.another(ctx, c.wait, c.asked(a)); !again || err != nil {
			return a, err
		}
	}
}

func (c caller) once(ctx context.Context, build func() (*http.Request, error)) (answer, error) {
	req, err := build()
	if err != nil {
		return answer{}, ctx.Err() // an invalid address counts as unreachable
	}
	res, err := c.client.Do(req.WithContext(ctx))
	if err != nil {
		return answer{}, ctx.Err() // the error itself contains the address and, for APNs, the token
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return answer{}, ctx.Err()
	}
	return answer{status: res.StatusCode, header: res.Header, body: body}, nil
}

// asked returns the pause that the service asks for; 0 when it asks for none.
func (c caller) asked(a answer) time.Duration {
	if asked := a.retryAfter(); asked > 0 || a.status != http.StatusTooManyRequests {
		return asked
	}
	return c.quota
}

// retryAfter returns the pause of the Retry-After header: seconds, or a date relative to the service's own Date.
func (a answer) retryAfter() time.Duration {
	text := a.header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	until, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(a.header.Get("Date"))
	if err != nil {
		return 0
	}
	return max(0, until.Sub(now))
}

// failure maps a response that is not a success by its status; code is the service's error code.
func (a answer) failure(code string) error {
	code = word(code)
	switch {
	case a.status == http.StatusTooManyRequests:
		return errorOf(ErrRateLimited, code)
	case a.status == 0 || a.status >= 500:
		return errorOf(ErrUnavailable, code)
	case a.status == http.StatusUnauthorized || a.status == http.StatusForbidden:
		return errorOf(ErrCredentials, code)
	case a.status == http.StatusRequestEntityTooLarge:
		return errorOf(ErrTooBig, code)
	}
	return errorOf(ErrInvalid, code)
}

// word returns a service's error code if it looks like one: any other text may repeat what was sent.
func word(code string) string {
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

// unreadable is the code of a response that lacks a required part.
const unreadable = "unreadable answer"
