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
	"github.com/tabletop-db/tabletop/simulators/simenv"
	"github.com/tabletop-db/tabletop/simulators/simenv/simenvtest"
)

// TestRun simulates four months, in which devices expire, and checks that everything is as expected.
func TestRun(t *testing.T) {
	t.Parallel()
	res, err := phones.Run(t.Context(), phones.Config{Config: simenv.Config{Seed: 4, ResponseLossRate: 0.02}, Users: 5,
		Duration: duration})
	if err != nil {
		t.Fatal(err)
	}
	if err := res.Err(); err != nil {
		simenvtest.LogResult(t, res)
		t.Error(err)
	}
	for _, label := range []string{"app launches", "tokens rotated", "logouts", "app removals", "jobs completed",
		"pushes delivered once",
		"devices as expected", "devices deactivated for an unregistered token"} {
		if simenvtest.Counts(res)[label] == 0 {
			simenvtest.LogResult(t, res)
			t.Fatalf("no %s", label)
		}
	}
}

// TestRunIsRepeatable checks that equal seeds give equal results, apart from who wins a race: which of two
// registrations created a device, and whether a push arrived at a phone that was just being opened.
func TestRunIsRepeatable(t *testing.T) {
	t.Parallel()
	run := func() sim.Result {
		res, err := phones.Run(t.Context(), phones.Config{Config: simenv.Config{Seed: 2, ResponseLossRate: 0.1}, Users: 2,
			Duration: 20 * 24 * time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	a, b := simenvtest.Counts(run()), simenvtest.Counts(run())
	races := []string{"registrations of new devices", "device refreshes", "pushes delivered once"}
	for name, n := range a {
		if b[name] != n && !slices.Contains(races, name) {
			t.Errorf("%s: %d and then %d", name, n, b[name])
		}
	}
}

// remoteConfig starts a backend with its gateway, as somebody else would.
func remoteConfig(t *testing.T, intercept simenvtest.Interceptor) phones.Config {
	t.Helper()
	cfg, gateway := simenvtest.StartRemote(t, "devicetoken", intercept)
	return phones.Config{Config: cfg, Users: 3, Duration: 8 * 24 * time.Hour, Gateway: gateway}
}

// repeatRequest sends a request to the backend once more, with its body changed by change.
func repeatRequest(r *http.Request, backend http.Handler, change *strings.Replacer) {
	body, _ := io.ReadAll(r.Body)
	changed := []byte(change.Replace(string(body)))
	once := r.Clone(r.Context())
	once.Body, once.ContentLength = io.NopCloser(bytes.NewReader(changed)), int64(len(changed))
	r.Body = io.NopCloser(bytes.NewReader(body))
	backend.ServeHTTP(httptest.NewRecorder(), once)
}

func sendPushesTwice(_ http.ResponseWriter, r *http.Request, backend http.Handler) bool {
	if simenvtest.Matches(r, "POST", "/push") {
		repeatRequest(r, backend, strings.NewReplacer())
	}
	return false
}

func dropPushes(w http.ResponseWriter, r *http.Request, _ http.Handler) bool {
	if simenvtest.Matches(r, "POST", "/push") {
		_, _ = io.WriteString(w, `{}`)
		return true
	}
	return false
}

func addDevices(_ http.ResponseWriter, r *http.Request, backend http.Handler) bool {
	if simenvtest.Matches(r, "POST", "/devices") {
		repeatRequest(r, backend, strings.NewReplacer(`"deviceId":"`, `"deviceId":"another-`))
	}
	return false
}

func dropDevices(w http.ResponseWriter, r *http.Request, backend http.Handler) bool {
	if !simenvtest.Matches(r, "POST", "/devices") {
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
	simenvtest.CheckFaults(t, map[string]simenvtest.Fault{
		"pushes are sent twice":     {Line: sim.Duplicated, Intercept: sendPushesTwice},
		"pushes are not sent":       {Line: "lost pushes", Intercept: dropPushes},
		"devices come from nowhere": {Line: sim.Unexpected, Intercept: addDevices},
		"devices are forgotten":     {Line: sim.Lost, Intercept: dropDevices},
	}, func(t *testing.T, intercept simenvtest.Interceptor) (sim.Result, error) {
		t.Helper()
		return phones.Run(t.Context(), remoteConfig(t, intercept))
	})
}

// TestBackendWithAnotherClockIsRefused checks that a backend with another clock is refused, with the remedy.
func TestBackendWithAnotherClockIsRefused(t *testing.T) {
	t.Parallel()
	cfg := remoteConfig(t, simenvtest.PassThrough)
	cfg.Emulator, cfg.Speed = "", 1000
	if _, err := phones.Run(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), "set --emulator") {
		t.Errorf("%v", err)
	}
}

// TestCheck checks that invalid settings are named.
func TestCheck(t *testing.T) {
	t.Parallel()
	cfgOfBackend := simenv.Config{BaseURL: "http://127.0.0.1:8080"}
	for want, cfg := range map[string]phones.Config{
		"":                       {},
		"--users -1":             {Users: -1},
		"--duration 1m0s":        {Duration: time.Minute},
		"no push":                {Config: cfgOfBackend},
		"requires --backend":     {Gateway: "http://127.0.0.1:8090"},
		"--backend \"nonsense\"": {Config: simenv.Config{BaseURL: "nonsense"}, Gateway: "http://127.0.0.1:8090"},
	} {
		err := cfg.Check()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v", cfg, err)
		}
	}
}
