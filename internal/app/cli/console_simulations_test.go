//go:build unix

package cli

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/internal/app/extensions"
	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

// TestSimulationsOfTheConsole checks which parameters the console offers, and that it refuses what the commands refuse.
func TestSimulationsOfTheConsole(t *testing.T) {
	t.Parallel()
	all := consoleSimulations(&upFlags{fleet: fleetFlags{devices: 1, seed: 1}})
	check := func(name string, args ...string) error {
		i := slices.IndexFunc(all, func(s extensions.Simulation) bool { return s.Name == name })
		return all[i].Check(args)
	}
	for _, c := range []struct{ name, args, want string }{
		{"fleet", "--admin-token=x --seed=2 --devices=0", "--devices cannot be 0: omit it to use the default"},
		{"fleet", "--admin-token=x --seed=2 --interval=1ms", "--interval 1ms is out of range: use 1s to 24h"},
		{"fleet", "--admin-token=x --seed=1",
			"--seed 1 makes the devices of the fleet of tabletop up, which run already: use another"},
		{"fleet", "--admin-token=x --seed=2 --speed=inf --duration=24h", ""},
		{"fleet", "--seed=2", "no credential: set --api-key, or --admin-token to create API keys for the run"},
		{"phones", "--users=many", `invalid argument "many" for "--users" flag: invalid syntax`},
		{"phones", "--duration=1", `invalid argument "1" for "--duration" flag: time: missing unit in duration "1"`},
		{"phones", "--users=10001", "--users 10001 is out of range: use 1 to 10000"},
		{"phones", "--seed=1", ""},
		{"people", "--lost-responses=1", "--lost-responses 1 is out of range: use 0 to less than 1"},
	} {
		if got := check(c.name, strings.Fields(c.args)...); c.want == "" && got != nil || c.want != "" && (got == nil ||
			got.Error() != c.want) {
			t.Errorf("%s %s: %v, want %q", c.name, c.args, got, c.want)
		}
	}
	phones := all[1]
	if got := fmt.Sprint(phones.Parameters[:3]); !phones.Gateway || phones.Name != "phones" || got !=
		"[{users Number of users, 1 to 10000, with two phones each on average. int 30} {duration Simulated duration. "+
			"Devices expire after 2160h without a launch of the app. duration 2880h} {seed Random seed. The same seed "+
			"generates the same people. uint64 1}]" {
		t.Errorf("%+v", phones)
	}
}

// simulationOfUp is a simulation that the console of tabletop up has started.
type simulationOfUp struct {
	State, Verdict, Result, Message string
	Fleet                           struct{ Stored int }
}

// TestUpRunsSimulations starts simulations from the console's API: one on a backend of its own, which passes, and a
// fleet on the running backend, which ends with the command.
func TestUpRunsSimulations(t *testing.T) {
	t.Parallel()
	reports := t.TempDir()
	up := start(t, "up", "--dynamodb-addr", "127.0.0.1:0", "--backend-addr", "127.0.0.1:0", "--push-addr", "127.0.0.1:0",
		"--devices", "1", "--reports", reports)
	up.await(t, "Press Ctrl-C to stop")
	api := strings.Fields(up.await(t, `DynamoDB +http://[0-9.:]+`))[1] + "/_tabletop/console/api/simulations/"
	current := func() (s simulationOfUp) {
		if err := json.Unmarshal(ask(t, http.MethodGet, api+"current", "", "", http.StatusOK), &s); err != nil {
			t.Fatal(err)
		}
		return s
	}
	run := func(request string, status int) string {
		return string(ask(t, http.MethodPost, api+"runs", "", request, status))
	}
	if got := string(ask(t, http.MethodGet, api+"choices", "", "", http.StatusOK)); strings.Count(got,
		`"id":"separate"`) != 4 || strings.Count(got, `"id":"backend"`) != 4 || strings.Count(got, `"id":"clock"`) != 4 {
		t.Error(got)
	}
	if got := run(`{"simulation":"phones","target":"separate","values":{"users":"-1"}}`,
		http.StatusUnprocessableEntity); !strings.Contains(got, `"detail":"--users -1 is out of range: use 1 to 10000"`) ||
		!strings.Contains(got, `"field":"users"`) {
		t.Error(got)
	}
	run(`{"simulation":"phones","target":"separate","values":{"users":"2","duration":"72h"}}`, http.StatusOK)
	await.True(t, "the simulation ends", func() bool { return current().State == "ended" })
	if got := current(); got.Verdict != "PASS" || !strings.HasPrefix(got.Result, "2 users with ") {
		t.Errorf("%+v", got)
	}
	const fleet = `{"simulation":"fleet","target":"backend","values":{"devices":"2","speed":"3600","seed":"5"}}`
	run(fleet, http.StatusOK)
	await.True(t, "readings are stored", func() bool { return current().Fleet.Stored > 0 })
	if got := run(fleet, http.StatusConflict); !strings.Contains(got, "stop them first") {
		t.Error(got)
	}
	up.stop(t)
	wantStopped(t, reports)
}

// wantStopped checks that the latest simulation of the console was stopped and has ended: then it is saved.
func wantStopped(t *testing.T, reports string) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(reports, "console-simulations", "*", "run.json"))
	if len(files) != 2 {
		t.Fatalf("saved: %v", files)
	}
	text, err := os.ReadFile(files[1])
	if err != nil || !strings.Contains(string(text), `"state":"stopped"`) {
		t.Errorf("%s, %v", text, err)
	}
}
