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
	"github.com/tabletop-db/tabletop/internal/pause"
)

const (
	firstPause  = time.Second      // in the mean, before the second try; it doubles from try to try
	patience    = 30 * time.Second // all pauses of one message together: whoever asked for the push waits meanwhile
	maxTries    = 5
	callTimeout = 10 * time.Second // of one try
	maxAnswer   = 1 << 20          // bytes of an answer that are read

	idleConnections = 32
)

// caller sends requests to a push service, again where that may help.
type caller struct {
	client *http.Client
	wait   Wait
	quota  time.Duration // that a refusal with 429 asks for where it does not say
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

// NewClient is the client that senders make themselves when they are given none, with what it sends by going through
// around.
func NewClient(around func(http.RoundTripper) http.RoundTripper) *http.Client {
	return &http.Client{Timeout: callTimeout, Transport: around(transport())}
}

// transport keeps as many connections as pushes are usually under way, where the default keeps two.
func transport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = idleConnections
	return t
}

// answer is what a service said. A status of 0 is no answer.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// busy reports whether the same request may be taken later.
func (a answer) busy() bool {
	return a.status == 0 || a.status == http.StatusTooManyRequests || a.status >= 500
}

// retries counts the tries and pauses of one message, or of those that share a request.
type retries struct {
	tries  int
	spent  time.Duration
	pauses *backoff.ExponentialBackOff
}

func newRetries() *retries { return &retries{pauses: retry.Pauses(firstPause, patience)} }

// another pauses before the next try, and reports whether there is one. asked is the service's own wish, 0 where it has
// none; one that is longer than the patience that is left ends it.
func (r *retries) another(ctx context.Context, wait Wait, asked time.Duration) (bool, error) {
	d := max(asked, r.pauses.NextBackOff())
	r.tries++
	if r.tries >= maxTries || r.spent+d > patience {
		return false, ctx.Err()
	}
	r.spent += d
	return true, wait(ctx, d)
}

// do sends what build makes, again while the service is busy. Its error is that of ctx alone.
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
		return answer{}, ctx.Err() // an address that is none: as good as nobody there
	}
	res, err := c.client.Do(req.WithContext(ctx))
	if err != nil {
		return answer{}, ctx.Err() // the error itself has the address, and APNs's has the token
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return answer{}, ctx.Err()
	}
	return answer{status: res.StatusCode, header: res.Header, body: body}, nil
}

// asked is how long the service wants to be left alone; 0 where it has no wish.
func (c caller) asked(a answer) time.Duration {
	if asked := a.retryAfter(); asked > 0 || a.status != http.StatusTooManyRequests {
		return asked
	}
	return c.quota
}

// retryAfter is how long the service asks to be left alone: seconds, or a date, which counts from the service's own.
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

// failure sorts an answer that is no success by its status; code is what the service calls it.
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

// word is a code of a service if it looks like one: what does not may repeat what was sent.
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

// unreadable is the code of an answer that lacks what it must have.
const unreadable = "unreadable answer"
