package loadtest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// call is a request of a backend's HTTP API, with its body as JSON.
type call struct {
	method, path string
	body         any
}

// encoded is the request that an attack sends to the backend at this address.
func (c call) encoded(base string) (request, error) {
	r := request{method: c.method, url: strings.TrimSuffix(base, "/") + c.path, header: http.Header{}}
	if c.body == nil {
		return r, nil
	}
	body, err := json.Marshal(c.body)
	r.body = body
	r.header.Set("Content-Type", "application/json")
	return r, err
}

// api calls a backend while a population is made.
type api struct {
	base string
	http *http.Client
}

// refusal is an answer that is no success.
type refusal struct {
	call   call
	status int
	detail string
}

func (r *refusal) Error() string {
	return fmt.Sprintf("%s %s: %d %s", r.call.method, r.call.path, r.status, r.detail)
}

// do sends a call with this header and decodes the answer into out, which may be nil. What may succeed later, because the
// database throttles, is sent again for a while.
func (a *api) do(ctx context.Context, c call, header http.Header, out any) error {
	return patiently(ctx, func() error { return a.once(ctx, c, header, out) }, func(err error) bool {
		r, refused := err.(*refusal)
		return refused && (r.status == http.StatusServiceUnavailable || r.status == http.StatusTooManyRequests)
	})
}

func (a *api) once(ctx context.Context, c call, header http.Header, out any) error {
	r, err := c.encoded(a.base)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, r.method, r.url, bytes.NewReader(r.body))
	if err != nil {
		return err
	}
	req.Header = r.header
	for name, values := range header {
		req.Header[name] = values
	}
	res, err := a.http.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	if res.StatusCode/100 != 2 {
		return &refusal{c, res.StatusCode, detail(body)}
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(body, out)
}

// detail is what problem details say, empty when they are none.
func detail(body []byte) string {
	var problem struct {
		Detail string `json:"detail"`
	}
	_ = json.Unmarshal(body, &problem) // an answer that is no JSON has no detail
	return problem.Detail
}

// patience is how long a database that throttles is asked again, and pause how long in between at first.
const (
	patience = 30 * time.Second
	pause    = 20 * time.Millisecond
)

// patiently does something until it succeeds, fails for good, or patience or the context ends.
func patiently(ctx context.Context, do func() error, transient func(error) bool) error {
	began := time.Now()
	for wait := pause; ; wait = min(2*wait, time.Second) {
		err := do()
		if err == nil || !transient(err) || time.Since(began) > patience {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}
