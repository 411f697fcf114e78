// Package simenvtest tests simulations against backends with faults, which they must find.
package simenvtest

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
	"github.com/tabletop-db/tabletop/simulators/simenv"
)

// Interceptor handles a request instead of the backend, or before it; it returns true if it has responded.
type Interceptor func(w http.ResponseWriter, r *http.Request, backend http.Handler) bool

// PassThrough leaves all requests to the backend.
func PassThrough(http.ResponseWriter, *http.Request, http.Handler) bool { return false }

// Matches reports whether a request has this method and a path with this suffix.
func Matches(r *http.Request, method, end string) bool {
	return r.Method == method && strings.HasSuffix(r.URL.Path, end)
}

// StartRemote starts a backend of one system, as somebody else would, with the fault that intercept injects, and
// returns it and the address of its push gateway. Both end with the test.
func StartRemote(t *testing.T, system string, intercept Interceptor) (cfg simenv.Config, gateway string) {
	t.Helper()
	env, err := simenv.StartEmbedded(t.Context(), system, simenv.Start(), simenv.Config{Seed: 1}, func(c *backend.Config) {
		c.Wait = simenv.NoWait
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = env.Close() })
	base, err := url.Parse(env.BaseURL)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(base)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !intercept(w, r, proxy) {
			proxy.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	e := env.Embedded
	return simenv.Config{Seed: 1, BaseURL: server.URL, AdminToken: e.Backend.AdminToken,
		Emulator: e.Emulator.DynamoDBURL()}, e.Backend.PushURL
}

// Fault is a fault of a backend, and the line of the result that reports it; empty if there is no fault.
type Fault struct {
	Line      string
	Intercept Interceptor
}

// CheckFaults runs a simulation against a backend with each fault, and one without, and checks that it finds the fault
// and nothing else.
func CheckFaults(t *testing.T, faults map[string]Fault, run func(*testing.T, Interceptor) (sim.Result, error)) {
	t.Helper()
	cases := map[string]Fault{"none": {"", PassThrough}}
	for name, fault := range faults {
		cases[name] = fault
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			res, err := run(t, c.Intercept)
			if err != nil {
				t.Fatal(err)
			}
			if (res.Err() == nil) != (c.Line == "") || c.Line != "" && Counts(res)[c.Line] == 0 {
				LogResult(t, res)
				t.Errorf("%v", res.Err())
			}
		})
	}
}

// Counts returns the counts of a result by name.
func Counts(res sim.Result) map[string]int64 {
	all := map[string]int64{}
	for _, c := range append(res.Actions, res.Checks...) {
		all[c.Name] = c.N
	}
	return all
}

// LogResult logs a result in the test.
func LogResult(t *testing.T, res sim.Result) {
	t.Helper()
	var text bytes.Buffer
	_ = res.WriteText(&text)
	t.Log(text.String())
}
