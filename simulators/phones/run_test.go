package phones_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/simulators/phones"
	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/venue"
	"github.com/tabletop-db/tabletop/simulators/venue/venuetest"
)

// TestRun simulates four months, in which devices expire, and checks that everything is as expected.
func TestRun(t *testing.T) {
	t.Parallel()
	res, err := phones.Run(t.Context(), phones.Config{Config: venue.Config{Seed: 4, AnswerLost: 0.02}, Users: 5,
		Duration: duration})
	if err != nil {
		t.Fatal(err)
	}
	if err := res.Err(); err != nil {
		venuetest.Report(t, res)
		t.Error(err)
	}
	for _, must := range []string{"app launches", "tokens rotated", "logouts", "app removals", "jobs completed",
		"pushes delivered once",
		"devices as expected", "devices deactivated for an unregistered token"} {
		if venuetest.Lines(res)[must] == 0 {
			venuetest.Report(t, res)
			t.Fatalf("no %s", must)
		}
	}
}

// TestRepeatable checks that equal seeds give equal results, apart from who wins a race: which of two registrations
// created a device, and whether a push arrived at a phone that was just being opened.
func TestRepeatable(t *testing.T) {
	t.Parallel()
	run := func() sim.Result {
		res, err := phones.Run(t.Context(), phones.Config{Config: venue.Config{Seed: 2, AnswerLost: 0.1}, Users: 2,
			Duration: 20 * 24 * time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	a, b := venuetest.Lines(run()), venuetest.Lines(run())
	races := []string{"registrations of new devices", "device refreshes", "pushes delivered once"}
	for name, n := range a {
		if b[name] != n && !slices.Contains(races, name) {
			t.Errorf("%s: %d and then %d", name, n, b[name])
		}
	}
}

// elsewhere starts a backend with its gateway, as somebody else would.
func elsewhere(t *testing.T, tamper venuetest.Tamper) phones.Config {
	t.Helper()
	at, gateway := venuetest.Elsewhere(t, "devicetoken", tamper)
	return phones.Config{Config: at, Users: 3, Duration: 8 * 24 * time.Hour, Gateway: gateway}
}

// again sends a request to the backend once more, with its body changed by change.
func again(r *http.Request, backend http.Handler, change *strings.Replacer) {
	body, _ := io.ReadAll(r.Body)
	changed := []byte(change.Replace(string(body)))
	once := r.Clone(r.Context())
	once.Body, once.ContentLength = io.NopCloser(bytes.NewReader(changed)), int64(len(changed))
	r.Body = io.NopCloser(bytes.NewReader(body))
	backend.ServeHTTP(httptest.NewRecorder(), once)
}

func doublesPushes(_ http.ResponseWriter, r *http.Request, backend http.Handler) bool {
	if venuetest.Is(r, "POST", "/push") {
		again(r, backend, strings.NewReplacer())
	}
	return false
}

func swallowsPushes(w http.ResponseWriter, r *http.Request, _ http.Handler) bool {
	if venuetest.Is(r, "POST", "/push") {
		_, _ = io.WriteString(w, `{}`)
		return true
	}
	return false
}

func makesUpDevices(_ http.ResponseWriter, r *http.Request, backend http.Handler) bool {
	if venuetest.Is(r, "POST", "/devices") {
		again(r, backend, strings.NewReplacer(`"deviceId":"`, `"deviceId":"another-`))
	}
	return false
}

func forgetsDevices(w http.ResponseWriter, r *http.Request, backend http.Handler) bool {
	if !venuetest.Is(r, "POST", "/devices") {
		return false
	}
	backend.ServeHTTP(w, r)
	forget := r.Clone(r.Context())
	forget.Method, forget.Body, forget.ContentLength = http.MethodDelete, nil, 0
	backend.ServeHTTP(httptest.NewRecorder(), forget)
	return true
}

// TestFaults checks that each fault of a backend is found, and none in a correct backend.
func TestFaults(t *testing.T) {
	t.Parallel()
	venuetest.Find(t, map[string]venuetest.Fault{
		"pushes are sent twice":     {Line: sim.Twice, Tamper: doublesPushes},
		"pushes are not sent":       {Line: "lost pushes", Tamper: swallowsPushes},
		"devices come from nowhere": {Line: sim.Foreign, Tamper: makesUpDevices},
		"devices are forgotten":     {Line: sim.Lost, Tamper: forgetsDevices},
	}, func(t *testing.T, tamper venuetest.Tamper) (sim.Result, error) {
		t.Helper()
		return phones.Run(t.Context(), elsewhere(t, tamper))
	})
}

// TestClock checks that a backend with another clock is refused, with the remedy.
func TestClock(t *testing.T) {
	t.Parallel()
	cfg := elsewhere(t, venuetest.Honest)
	cfg.Emulator, cfg.Speed = "", 1000
	if _, err := phones.Run(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), "set --emulator") {
		t.Errorf("%v", err)
	}
}

// TestCheck checks that invalid settings are named.
func TestCheck(t *testing.T) {
	t.Parallel()
	at := venue.Config{BaseURL: "http://127.0.0.1:8080"}
	for want, cfg := range map[string]phones.Config{
		"":                       {},
		"--users -1":             {Users: -1},
		"--duration 1m0s":        {Duration: time.Minute},
		"no push":                {Config: at},
		"requires --backend":     {Gateway: "http://127.0.0.1:8090"},
		"--backend \"nonsense\"": {Config: venue.Config{BaseURL: "nonsense"}, Gateway: "http://127.0.0.1:8090"},
	} {
		err := cfg.Check()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v", cfg, err)
		}
	}
}
