// Package venuetest is how simulations are tested: against a backend that does something wrong, which they have to
// find.
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

// Tamper answers a request in place of the backend, or before it; true when it was answered.
type Tamper func(w http.ResponseWriter, r *http.Request, backend http.Handler) bool

// Honest lets the backend answer everything.
func Honest(http.ResponseWriter, *http.Request, http.Handler) bool { return false }

// Is says whether a request has this method and a path that ends so.
func Is(r *http.Request, method, end string) bool {
	return r.Method == method && strings.HasSuffix(r.URL.Path, end)
}

// Elsewhere is a backend of one system that somebody else has started, of which tamper does something wrong, and the
// address of its push gateway. Both end with the test.
func Elsewhere(t *testing.T, system string, tamper Tamper) (at venue.Config, gateway string) {
	t.Helper()
	v, err := venue.Embed(t.Context(), system, venue.Start(), venue.Config{Seed: 1}, func(c *backend.Config) { c.Wait = venue.NoPause })
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
	return venue.Config{Seed: 1, BaseURL: server.URL, AdminToken: e.Backend.AdminToken, Emulator: e.Emulator.DynamoDBURL()}, e.Backend.PushURL
}

// Fault is what a backend does wrong, and the line of the result that tells of it; empty where nothing is wrong.
type Fault struct {
	Line   string
	Tamper Tamper
}

// Find runs a simulation against a backend with each fault, and one without, and holds that it finds the faults and no
// others.
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

// Lines are the counts of a result by name.
func Lines(res sim.Result) map[string]int64 {
	all := map[string]int64{}
	for _, c := range append(res.Did, res.Found...) {
		all[c.Name] = c.N
	}
	return all
}

// Report shows a result in the test's log.
func Report(t *testing.T, res sim.Result) {
	t.Helper()
	var text bytes.Buffer
	_ = res.WriteText(&text)
	t.Log(text.String())
}
