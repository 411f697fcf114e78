// Package venuetest tests simulations against backends with faults, which they must find.
package venuetest

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/venue"
)

// Tamper handles a request instead of the backend, or before it; it returns true if it has responded.
type Tamper func(w http.ResponseWriter, r *http.Request, backend http.Handler) bool

// Honest leaves all requests to the backend.
func Honest(http.ResponseWriter, *http.Request, http.Handler) bool { return false }

// Is reports whether a request has this method and a path with this suffix.
func Is(r *http.Request, method, end string) bool {
	return r.Method == method && strings.HasSuffix(r.URL.Path, end)
}

// Elsewhere starts a backend of one system, as somebody else would, with the fault tamper, and returns it and the
// address of its push gateway. Both end with the test.
func Elsewhere(t *testing.T, system string, tamper Tamper) (at venue.Config, gateway string) {
	t.Helper()
	v, err := venue.Embed(t.Context(), system, venue.Start(), venue.Config{Seed: 1}, func(c *backend.Config) {
		c.Wait = venue.NoPause
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = v.Close() })
	base, err := url.Parse(v.BaseURL)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(base)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !tamper(w, r, proxy) {
			proxy.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	e := v.Embedded
	return venue.Config{Seed: 1, BaseURL: server.URL, AdminToken: e.Backend.AdminToken,
		Emulator: e.Emulator.DynamoDBURL()}, e.Backend.PushURL
}

// Fault is a fault of a backend, and the line of the result that reports it; empty if there is no fault.
type Fault struct {
	Line   string
	Tamper Tamper
}

// Find runs a simulation against a backend with each fault, and one without, and checks that it finds the fault and
// nothing else.
func Find(t *testing.T, faults map[string]Fault, run func(*testing.T, Tamper) (sim.Result, error)) {
	t.Helper()
	cases := map[string]Fault{"none": {"", Honest}}
	for name, fault := range faults {
		cases[name] = fault
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			res, err := run(t, c.Tamper)
			if err != nil {
				t.Fatal(err)
			}
			if (res.Err() == nil) != (c.Line == "") || c.Line != "" && Lines(res)[c.Line] == 0 {
				Report(t, res)
				t.Errorf("%v", res.Err())
			}
		})
	}
}

// Lines returns the counts of a result by name.
func Lines(res sim.Result) map[string]int64 {
	all := map[string]int64{}
	for _, c := range append(res.Did, res.Found...) {
		all[c.Name] = c.N
	}
	return all
}

// Report logs a result in the test.
func Report(t *testing.T, res sim.Result) {
	t.Helper()
	var text bytes.Buffer
	_ = res.WriteText(&text)
	t.Log(text.String())
}
