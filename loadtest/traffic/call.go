package traffic

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tabletop-db/tabletop/simulators/sim"
)

// call is a request to a backend's HTTP API, with a JSON body.
type call struct {
	method, path string
	body         any
}

// encoded returns the request that an attack sends to the backend at base.
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

// api calls a backend to create a population. It repeats calls that may succeed later because the database throttled
// them.
type api struct {
	client   *sim.Client
	patience *sim.Retrier
	admin    string // the backend's admin token
}

func newAPI(c Setup) *api {
	return &api{&sim.Client{BaseURL: c.BaseURL, HTTP: newClient(setupConcurrency)}, &sim.Retrier{Backend: c.BaseURL},
		c.AdminToken}
}

// do sends a call with this header and decodes the response into out, which may be nil.
func (a *api) do(ctx context.Context, c call, header http.Header, out any) error {
	return a.patience.Do(ctx, func() error {
		_, err := a.client.Do(ctx, sim.Call{Method: c.method, Path: c.path, Header: header, In: c.body, Out: out})
		return err
	})
}

func (a *api) close() { a.client.HTTP.CloseIdleConnections() }

// tokenLife is the lifetime of a run's bearer tokens.
const tokenLife = 24 * time.Hour

// token requests a bearer token from the backend's own issuer and returns it as a header.
func (a *api) token(ctx context.Context, subject string, roles ...string) (http.Header, error) {
	var answer struct {
		Token string `json:"access_token"`
	}
	body := map[string]any{"subject": subject, "lifetime": int64(tokenLife.Seconds())}
	if len(roles) > 0 {
		body["roles"] = roles
	}
	if _, err := a.client.Do(ctx, sim.Call{Method: http.MethodPost, Path: "/auth/token", In: body,
		Out: &answer}); err != nil {
		return nil, fmt.Errorf("no token from the backend at %s: is it running, with the development issuer? (%w)",
			a.client.BaseURL, err)
	}
	return bearer(answer.Token), nil
}

func bearer(token string) http.Header { return http.Header{"Authorization": {"Bearer " + token}} }

// adminHeader returns the header for the admin routes.
func (a *api) adminHeader() http.Header { return bearer(a.admin) }

// forEach calls do with the numbers from 0 to n-1, several concurrently, and calls step after each.
func forEach(ctx context.Context, n int, step func(), do func(ctx context.Context, i int) error) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(setupConcurrency)
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		g.Go(func() error {
			defer step()
			return do(ctx, i)
		})
	}
	return g.Wait()
}

// progressStep returns a step function for each that reports the progress of a total to done.
func progressStep(total int, done func(done, total int)) (step func()) {
	var count atomic.Int64
	return func() { done(int(count.Add(1)), total) }
}

// RequestTimeout limits the time from when a request is sent to the end of its response.
const RequestTimeout = 30 * time.Second

// setupConcurrency is the number of concurrent requests that create a population.
const setupConcurrency = 16

// newClient returns a client that keeps up to this many idle connections.
func newClient(connections int) *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConns, transport.MaxIdleConnsPerHost = connections, connections
	return &http.Client{Transport: transport, Timeout: RequestTimeout}
}
