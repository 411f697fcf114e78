package sim_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/simulators/sim"
)

// countingBackend is a backend that counts what it did; status returns the response to the nth request, from 1.
func countingBackend(t *testing.T, status func(n int64, r *http.Request) int) (*sim.Caller, *atomic.Int64) {
	var n atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(status(n.Add(1), r))
		fmt.Fprintf(w, `{"n": %d, "title": "so it is"}`, n.Load())
	}))
	t.Cleanup(s.Close)
	return &sim.Caller{Client: &sim.Client{BaseURL: s.URL + "/"}, Retrier: &sim.Retrier{Backend: s.URL}}, &n
}

func always(status int) func(int64, *http.Request) int {
	return func(int64, *http.Request) int { return status }
}

func TestCallRetriesLostResponses(t *testing.T) {
	t.Parallel()
	c, n := countingBackend(t, always(http.StatusCreated))
	var lost atomic.Int64
	c.Loss = &sim.ResponseLoss{Seed: 1, Rate: 1, Counter: &lost}
	var out struct{ N int }
	outcome, err := c.Call(t.Context(), sim.Call{Method: http.MethodPost, Path: "/things", In: 1, Out: &out})
	if err != nil || outcome != (sim.Outcome{Status: 201, Retries: 3}) || out.N != 4 || n.Load() != 4 || lost.Load() != 3 {
		t.Errorf("%+v %v, %d requests, %d lost, %+v", outcome, err, n.Load(), lost.Load(), out)
	}
}

// Loss depends on the caller and the index of the request, so that two runs with one seed lose the same responses.
func TestLossDependsOnlyOnTheSeed(t *testing.T) {
	t.Parallel()
	outcomes := func(seed uint64) string {
		c, _ := countingBackend(t, always(http.StatusOK))
		c.Loss = &sim.ResponseLoss{Seed: seed, Number: 7, Rate: 0.3}
		var outcomes strings.Builder
		for range 30 {
			outcome, err := c.Call(t.Context(), sim.Call{Method: http.MethodGet, Path: "/"})
			fmt.Fprint(&outcomes, outcome.Retries, err)
		}
		return outcomes.String()
	}
	if one, again, other := outcomes(1), outcomes(1), outcomes(2); one != again || one == other {
		t.Error(one, again, other)
	}
}

func TestCallRetriesTransientFailures(t *testing.T) {
	t.Parallel()
	c, _ := countingBackend(t, func(n int64, _ *http.Request) int { return map[bool]int{true: 503, false: 200}[n < 3] })
	outcome, err := c.Call(t.Context(), sim.Call{Method: http.MethodGet, Path: "/"})
	if err != nil || outcome != (sim.Outcome{Status: 200, Retries: 2}) || c.Retrier.Errors.Load() != 2 ||
		c.Retrier.Requests.Load() != 3 {
		t.Errorf("%+v %v", outcome, err)
	}
	c, _ = countingBackend(t, always(http.StatusServiceUnavailable))
	c.Retrier.Timeout = time.Nanosecond
	if _, err := c.Call(t.Context(), sim.Call{Method: http.MethodGet, Path: "/"}); err == nil ||
		!strings.Contains(err.Error(), "is it running?") {
		t.Error(err)
	}
}

func TestCallRenewsItsCredentialOnce(t *testing.T) {
	t.Parallel()
	c, n := countingBackend(t, func(_ int64, r *http.Request) int {
		return map[bool]int{true: 204, false: 401}[r.Header.Get("Authorization") == "new" && r.Header.Get("X-Own") == "kept"]
	})
	c.Credential = func(_ context.Context, renew bool) (http.Header, error) {
		return http.Header{"Authorization": {map[bool]string{true: "new", false: "old"}[renew]}}, nil
	}
	call := sim.Call{Method: http.MethodDelete, Path: "/", Header: http.Header{"X-Own": {"kept"}}}
	if outcome, err := c.Call(t.Context(), call); err != nil || outcome.Retries != 0 || n.Load() != 2 {
		t.Error(outcome, err, n.Load())
	}
	call.Header = nil
	if outcome, err := c.Call(t.Context(), call); !sim.IsUnauthorized(err) || outcome.Status != 401 || n.Load() != 4 {
		t.Error(outcome, err, n.Load())
	}
}

func TestClientErrorsAreNotRetried(t *testing.T) {
	t.Parallel()
	c, n := countingBackend(t, always(http.StatusConflict))
	outcome, err := c.Call(t.Context(), sim.Call{Method: http.MethodPost, Path: "/things/1"})
	if outcome.Status != 409 || sim.Status(err) != 409 || n.Load() != 1 || err.Error() != "POST /things/1: 409 so it is" {
		t.Error(outcome, err)
	}
}

// What must not be done twice is repeated only after checking whether it was done.
func TestCreateChecksBeforeItRetries(t *testing.T) {
	t.Parallel()
	c, n := countingBackend(t, func(n int64, _ *http.Request) int { return map[bool]int{true: 503, false: 201}[n == 1] })
	finds := 0
	find := func(context.Context) (struct{ N int64 }, bool, error) {
		finds++
		return struct{ N int64 }{n.Load()}, finds == 2, nil
	}
	c.Loss = &sim.ResponseLoss{Rate: 1}
	created, err := sim.Create(t.Context(), c, sim.Call{Method: http.MethodPost, Path: "/", In: 1}, find)
	if err != nil || created.N != 2 || finds != 2 {
		t.Errorf("%+v %v after %d looks", created, err, finds)
	}
	c.Loss = nil
	if created, err = sim.Create(t.Context(), c, sim.Call{Method: http.MethodPost, Path: "/"}, find); err != nil ||
		created.N != 3 || finds != 2 {
		t.Errorf("%+v %v after %d looks", created, err, finds)
	}
}

// TestErrorsHaveNoQuery checks each kind of failure of a presigned URL: errors are in reports, which others read.
func TestErrorsHaveNoQuery(t *testing.T) {
	t.Parallel()
	cut := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/cut":
			w.Header().Set("Content-Length", "100")
		case "/wrong":
			w.WriteHeader(http.StatusForbidden)
		}
		fmt.Fprint(w, "no JSON")
	}))
	t.Cleanup(cut.Close)
	for _, address := range []string{cut.URL + "/cut", cut.URL + "/text", cut.URL + "/wrong", "http://127.0.0.1:1/away",
		"http://bad host/"} {
		var out struct{}
		call := sim.Call{Method: http.MethodGet, Path: address + "?X-Amz-Signature=feedface", Out: &out}
		if _, err := new(sim.Client).Do(t.Context(), call); err == nil || strings.Contains(err.Error(), "feedface") {
			t.Errorf("%s: %v", address, err)
		}
	}
}
