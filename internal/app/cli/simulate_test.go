package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSimulators checks that each simulation needs nothing running beforehand, succeeds, and also writes its
// result as JSON.
func TestSimulators(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"brewers":    {"--brewers", "2", "--duration", "72h", "--schedulers", "2"},
		"applicants": {"--applicants", "3"},
		"phones":     {"--users", "2", "--duration", "72h"},
		"people":     {"--people", "2", "--duration", "48h"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report := filepath.Join(t.TempDir(), "report.json")
			got := start(t, append([]string{"simulate", name, "--report", report}, args...)...).wait(t)
			if got.status != 0 || !strings.Contains(got.stdout, "\nPASS: ") {
				t.Errorf("%+v", got)
			}
			text, err := os.ReadFile(report)
			var result struct {
				Reconciled bool
				Did        []struct{ Count int }
			}
			if err != nil || json.Unmarshal(text, &result) != nil || !result.Reconciled || result.Did[0].Count == 0 {
				t.Errorf("%s, error %v", text, err)
			}
		})
	}
}

// TestASimulationChecksInvariants checks that a simulation fails by an invariant of the user's own, and says how many
// of the system's rules hold.
func TestASimulationChecksInvariants(t *testing.T) {
	t.Parallel()
	got := start(t, "simulate", "phones", "--users", "3", "--duration", "72h",
		"--invariants", "testdata/invariants.yaml").wait(t)
	if got.status != 1 || !strings.Contains(got.stdout, " 6 invariants that hold\n") ||
		!strings.Contains(got.stdout, "\nbroken invariants: nobody uses Android: {deviceId: ") {
		t.Errorf("%+v", got)
	}
}

// TestSimulatorsOnARunningBackend checks that a simulation can use a running backend: one that follows an emulator's
// clock, which the simulation moves, or one with a clock of its own.
func TestSimulatorsOnARunningBackend(t *testing.T) {
	t.Parallel()
	up := start(t, "up", "--dynamodb-addr", "127.0.0.1:0", "--backend-addr", "127.0.0.1:0", "--push-addr", "127.0.0.1:0",
		"--devices", "1", "--admin-token", "open")
	base := strings.TrimSuffix(up.await(t, `http://[0-9.:]+/docs`), "/docs")
	emulator := strings.Fields(up.await(t, `DynamoDB +http://[0-9.:]+`))[1]
	up.await(t, "Press Ctrl-C to stop")
	at := []string{"--backend", base, "--admin-token", "open"}
	squeezed := append([]string{"simulate", "brewers", "--brewers", "2", "--duration", "72h", "--speed", "200000"}, at...)
	if got := start(t, squeezed...).wait(t); got.status != 0 || !strings.Contains(got.stdout, "\nPASS: ") {
		t.Errorf("%+v", got)
	}
	if got := start(t, squeezed...).wait(t); got.status != 1 || !strings.Contains(got.stderr, "use another --seed") {
		t.Errorf("the same people again: %+v", got)
	}
	commanded := append([]string{"simulate", "applicants", "--applicants", "3", "--emulator", emulator}, at...)
	if got := start(t, commanded...).wait(t); got.status != 0 || !strings.Contains(got.stdout, "\nPASS: ") {
		t.Errorf("%+v", got)
	}
}

// TestInvalidSimulationsAreRefused checks that a simulation that cannot start is a usage error of one line with the
// remedy.
func TestInvalidSimulationsAreRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ args, want string }{
		{"brewers --brewers 0", "--brewers cannot be 0: omit it to use the default"},
		{"brewers --duration 1h", "use 72h0m0s to 8760h0m0s"},
		{"brewers --schedulers 99", "use 1 to 16"},
		{"brewers --speed 2", "require --backend"},
		{"brewers --backend there --admin-token x", "use one such as http://127.0.0.1:8080"},
		{"brewers --invariants nowhere.yaml", "nowhere.yaml"},
		{"brewers --invariants testdata/invariants.yaml --backend http://127.0.0.1:1 --admin-token x", "requires --emulator"},
		{"applicants --clients 0", "--clients cannot be 0: omit it to use the default"},
		{"applicants --reviewers 9", "use 1 to 8"},
		{"applicants --lost-responses 1", "use 0 to less than 1"},
		{"applicants --backend http://127.0.0.1:1", "set --admin-token"},
		{"phones --duration 0", "--duration cannot be 0: omit it to use the default"},
		{"phones --users -1", "use 1 to 10000"},
		{"phones --backend http://127.0.0.1:1 --admin-token x", "no push gateway"},
		{"phones --backend http://127.0.0.1:1 --gateway http://127.0.0.1:1", "set --admin-token"},
		{"phones --gateway http://127.0.0.1:1", "requires --backend"},
		{"people --workers 0", "--workers cannot be 0: omit it to use the default"},
		{"people --people 1", "use 2 to 10000"},
		{"people --progress xml", "use text or json"},
		{"people --duration 700h", "use 24h0m0s to 672h0m0s"},
		{"people --backend http://127.0.0.1:1 --admin-token x", "no push gateway"},
		{"people --backend http://127.0.0.1:1 --gateway http://127.0.0.1:1 --admin-token x", "needs a clock"},
		{"people --backend http://127.0.0.1:1 --gateway http://127.0.0.1:1 --emulator http://127.0.0.1:1",
			"set --admin-token"},
	} {
		got := start(t, strings.Fields("simulate "+c.args)...).wait(t)
		if got.status != 2 || strings.Count(got.stderr, "\n") != 1 || !strings.Contains(got.stderr, c.want) {
			t.Errorf("%s: %+v", c.args, got)
		}
	}
}

// TestSimulatorsRequireTheirSystem checks that a simulation refuses a backend without its system, before it stops the
// backend's clock.
func TestSimulatorsRequireTheirSystem(t *testing.T) {
	t.Parallel()
	b := start(t, "backend", "--systems", "telemetry", "--target", "embedded", "--backend-addr", "127.0.0.1:0",
		"--admin-token", "admin")
	backend := strings.TrimSuffix(b.await(t, `http://[0-9.:]+/docs`), "/docs")
	got := start(t, "simulate", "people", "--backend", backend, "--admin-token", "admin", "--gateway", backend,
		"--emulator", "http://127.0.0.1:1").wait(t)
	if got.status != 1 || !strings.Contains(got.stderr, "the backend at "+backend+
		" does not run notification: include it in --systems") {
		t.Errorf("%+v", got)
	}
}

// TestSimulatorsRefuseADeadBackend checks that a simulator says at once that nothing responds at its backend's address.
func TestSimulatorsRefuseADeadBackend(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"fleet", "brewers", "applicants"} {
		got := runCommand(t.Context(), nil, "simulate", name, "--backend", "http://127.0.0.1:1", "--admin-token", "x")
		if got.status != 2 || !strings.HasPrefix(got.stderr, "tabletop: cannot reach a backend at http://127.0.0.1:1 (") &&
			!strings.Contains(got.stderr, "\ntabletop: cannot reach a backend at http://127.0.0.1:1 (") {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
