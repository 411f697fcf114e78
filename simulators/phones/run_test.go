package phones_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/simulators/phones"
	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/venue"
)

// lines are the counts of a result by name.
func lines(res sim.Result) map[string]int64 {
	all := map[string]int64{}
	for _, c := range append(res.Did, res.Found...) {
		all[c.Name] = c.N
	}
	return all
}

func report(t *testing.T, res sim.Result) {
	t.Helper()
	var text bytes.Buffer
	_ = res.WriteText(&text)
	t.Log(text.String())
}

// TestRun lives through four months, in which devices expire, and finds everything as it must be.
func TestRun(t *testing.T) {
	t.Parallel()
	res, err := phones.Run(t.Context(), phones.Config{Config: venue.Config{Seed: 4, AnswerLost: 0.02}, Users: 5, Duration: duration})
	if err != nil {
		t.Fatal(err)
	}
	if err := res.Err(); err != nil {
		report(t, res)
		t.Error(err)
	}
	for _, must := range []string{"launches", "tokens rotated", "log outs", "apps uninstalled", "jobs completed", "pushes that arrived once",
		"devices as they must be", "devices deactivated for a dead token"} {
		if lines(res)[must] == 0 {
			report(t, res)
			t.Fatalf("no %s", must)
		}
	}
}

// TestRepeatable does the same for the same seed. Who wins a race it does not say: which of two registrations made a
// device, and whether a push came to a phone that was just being opened.
func TestRepeatable(t *testing.T) {
	t.Parallel()
	run := func() sim.Result {
		res, err := phones.Run(t.Context(), phones.Config{Config: venue.Config{Seed: 2, AnswerLost: 0.1}, Users: 2, Duration: 20 * 24 * time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	a, b := lines(run()), lines(run())
	races := []string{"registrations of new devices", "refreshes", "pushes that arrived once"}
	for name, n := range a {
		if b[name] != n && !slices.Contains(races, name) {
			t.Errorf("%s: %d and then %d", name, n, b[name])
		}
	}
}

// elsewhere is a backend that somebody else has started, with its gateway; tampered answers for it where it returns true.
func elsewhere(t *testing.T, tampered tamper) phones.Config {
	t.Helper()
	v, err := venue.Embed(t.Context(), "devicetoken", venue.Start(), venue.Config{Seed: 1}, nil)
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
		if !tampered(w, r, proxy) {
			proxy.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return phones.Config{
		Config: venue.Config{Seed: 1, BaseURL: server.URL, AdminToken: v.Embedded.Backend.AdminToken, Emulator: v.Embedded.Emulator.DynamoDBURL()},
		Users:  3, Duration: 8 * 24 * time.Hour, Gateway: v.Embedded.Backend.PushURL,
	}
}

// tamper answers a request in place of the backend, or before it; true when it was answered.
type tamper func(w http.ResponseWriter, r *http.Request, backend http.Handler) bool

func is(r *http.Request, method, end string) bool {
	return r.Method == method && strings.HasSuffix(r.URL.Path, end)
}

// again has the backend do a request once more, with its body as change makes it.
func again(r *http.Request, backend http.Handler, change *strings.Replacer) {
	body, _ := io.ReadAll(r.Body)
	changed := []byte(change.Replace(string(body)))
	once := r.Clone(r.Context())
	once.Body, once.ContentLength = io.NopCloser(bytes.NewReader(changed)), int64(len(changed))
	r.Body = io.NopCloser(bytes.NewReader(body))
	backend.ServeHTTP(httptest.NewRecorder(), once)
}

func doublesPushes(_ http.ResponseWriter, r *http.Request, backend http.Handler) bool {
	if is(r, "POST", "/push") {
		again(r, backend, strings.NewReplacer())
	}
	return false
}

func swallowsPushes(w http.ResponseWriter, r *http.Request, _ http.Handler) bool {
	if is(r, "POST", "/push") {
		_, _ = io.WriteString(w, `{}`)
		return true
	}
	return false
}

func makesUpDevices(_ http.ResponseWriter, r *http.Request, backend http.Handler) bool {
	if is(r, "POST", "/devices") {
		again(r, backend, strings.NewReplacer(`"deviceId":"`, `"deviceId":"another-`))
	}
	return false
}

func forgetsDevices(w http.ResponseWriter, r *http.Request, backend http.Handler) bool {
	if !is(r, "POST", "/devices") {
		return false
	}
	backend.ServeHTTP(w, r)
	forget := r.Clone(r.Context())
	forget.Method, forget.Body, forget.ContentLength = http.MethodDelete, nil, 0
	backend.ServeHTTP(httptest.NewRecorder(), forget)
	return true
}

// TestFaults finds what a backend does wrong, and nothing where it does all right.
func TestFaults(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault  string
		tamper tamper
	}{
		"none":                      {"", func(http.ResponseWriter, *http.Request, http.Handler) bool { return false }},
		"pushes are sent twice":     {sim.Twice, doublesPushes},
		"pushes are not sent":       {"pushes lost", swallowsPushes},
		"devices come from nowhere": {sim.Foreign, makesUpDevices},
		"devices are forgotten":     {sim.Lost, forgetsDevices},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			res, err := phones.Run(t.Context(), elsewhere(t, c.tamper))
			if err != nil {
				t.Fatal(err)
			}
			if (res.Err() == nil) != (c.fault == "") || c.fault != "" && lines(res)[c.fault] == 0 {
				report(t, res)
				t.Errorf("%v", res.Err())
			}
		})
	}
}

// TestClock refuses a backend that goes by another clock, with the remedy.
func TestClock(t *testing.T) {
	t.Parallel()
	cfg := elsewhere(t, func(http.ResponseWriter, *http.Request, http.Handler) bool { return false })
	cfg.Emulator, cfg.Speed = "", 1000
	if _, err := phones.Run(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), "give --emulator") {
		t.Errorf("%v", err)
	}
}

// TestCheck names what cannot work.
func TestCheck(t *testing.T) {
	t.Parallel()
	at := venue.Config{BaseURL: "http://127.0.0.1:8080"}
	for want, cfg := range map[string]phones.Config{
		"":               {},
		"-1 users":       {Users: -1},
		"duration 1m0s":  {Duration: time.Minute},
		"no push":        {Config: at},
		"give its":       {Gateway: "http://127.0.0.1:8090"},
		"no backend add": {Config: venue.Config{BaseURL: "nonsense"}, Gateway: "http://127.0.0.1:8090"},
	} {
		err := cfg.Check()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v", cfg, err)
		}
	}
}
