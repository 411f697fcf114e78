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

// counter is a backend that counts what it did; status returns the response to the nth request, from 1.
func counter(t *testing.T, status func(n int64, r *http.Request) int) (*sim.Caller, *atomic.Int64) {
	var n atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(status(n.Add(1), r))
		fmt.Fprintf(w, `{"n": %d, "title": "so it is"}`, n.Load())
	}))
	t.Cleanup(s.Close)
	return &sim.Caller{Client: &sim.Client{BaseURL: s.URL + "/"}, Patience: &sim.Patience{Backend: s.URL}}, &n
}

func always(status int) func(int64, *http.Request) int {
	return func(int64, *http.Request) int { return status }
}

func TestCallRepeatsWhatItDidNotHear(t *testing.T) {
	t.Parallel()
	c, n := counter(t, always(http.StatusCreated))
	var lost atomic.Int64
	c.Luck = &sim.Luck{Seed: 1, AnswerLost: 1, Lost: &lost}
	var out struct{ N int }
	heard, err := c.Call(t.Context(), sim.Call{Method: http.MethodPost, Path: "/things", In: 1, Out: &out})
	if err != nil || heard != (sim.Heard{Status: 201, Repeats: 3}) || out.N != 4 || n.Load() != 4 || lost.Load() != 3 {
		t.Errorf("%+v %v, %d requests, %d lost, %+v", heard, err, n.Load(), lost.Load(), out)
	}
}

// Luck depends on the caller and the index of the request, so that two runs with one seed lose the same responses.
func TestLuckIsOfTheSeed(t *testing.T) {
	t.Parallel()
	fates := func(seed uint64) string {
		c, _ := counter(t, always(http.StatusOK))
		c.Luck = &sim.Luck{Seed: seed, Number: 7, AnswerLost: 0.3}
		var fates strings.Builder
		for range 30 {
			heard, err := c.Call(t.Context(), sim.Call{Method: http.MethodGet, Path: "/"})
			fmt.Fprint(&fates, heard.Repeats, err)
		}
		return fates.String()
	}
	if one, again, other := fates(1), fates(1), fates(2); one != again || one == other {
		t.Error(one, again, other)
	}
}

func TestCallIsPatient(t *testing.T) {
	t.Parallel()
	c, _ := counter(t, func(n int64, _ *http.Request) int { return map[bool]int{true: 503, false: 200}[n < 3] })
	heard, err := c.Call(t.Context(), sim.Call{Method: http.MethodGet, Path: "/"})
	if err != nil || heard != (sim.Heard{Status: 200, Repeats: 2}) || c.Patience.Errors.Load() != 2 ||
		c.Patience.Requests.Load() != 3 {
		t.Errorf("%+v %v", heard, err)
	}
	c, _ = counter(t, always(http.StatusServiceUnavailable))
	c.Patience.For = time.Nanosecond
	if _, err := c.Call(t.Context(), sim.Call{Method: http.MethodGet, Path: "/"}); err == nil ||
		!strings.Contains(err.Error(), "is it running?") {
		t.Error(err)
	}
}

func TestCallRenewsItsCredentialOnce(t *testing.T) {
	t.Parallel()
	c, n := counter(t, func(_ int64, r *http.Request) int {
		return map[bool]int{true: 204, false: 401}[r.Header.Get("Authorization") == "new" && r.Header.Get("X-Own") == "kept"]
	})
	c.Credential = func(_ context.Context, renew bool) (http.Header, error) {
		return http.Header{"Authorization": {map[bool]string{true: "new", false: "old"}[renew]}}, nil
	}
	call := sim.Call{Method: http.MethodDelete, Path: "/", Header: http.Header{"X-Own": {"kept"}}}
	if heard, err := c.Call(t.Context(), call); err != nil || heard.Repeats != 0 || n.Load() != 2 {
		t.Error(heard, err, n.Load())
	}
	call.Header = nil
	if heard, err := c.Call(t.Context(), call); !sim.Refused(err) || heard.Status != 401 || n.Load() != 4 {
		t.Error(heard, err, n.Load())
	}
}

func TestRefusalsAreFinal(t *testing.T) {
	t.Parallel()
	c, n := counter(t, always(http.StatusConflict))
	heard, err := c.Call(t.Context(), sim.Call{Method: http.MethodPost, Path: "/things/1"})
	if heard.Status != 409 || sim.Status(err) != 409 || n.Load() != 1 || err.Error() != "POST /things/1: 409 so it is" {
		t.Error(heard, err)
	}
}

// What must not be done twice is repeated only after checking whether it was done.
func TestCreateLooksBeforeItRepeats(t *testing.T) {
	t.Parallel()
	c, n := counter(t, func(n int64, _ *http.Request) int { return map[bool]int{true: 503, false: 201}[n == 1] })
	looks := 0
	look := func(context.Context) (struct{ N int64 }, bool, error) {
		looks++
		return struct{ N int64 }{n.Load()}, looks == 2, nil
	}
	c.Luck = &sim.Luck{AnswerLost: 1}
	made, err := sim.Create(t.Context(), c, sim.Call{Method: http.MethodPost, Path: "/", In: 1}, look)
	if err != nil || made.N != 2 || looks != 2 {
		t.Errorf("%+v %v after %d looks", made, err, looks)
	}
	c.Luck = nil
	if made, err = sim.Create(t.Context(), c, sim.Call{Method: http.MethodPost, Path: "/"}, look); err != nil ||
		made.N != 3 || looks != 2 {
		t.Errorf("%+v %v after %d looks", made, err, looks)
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
