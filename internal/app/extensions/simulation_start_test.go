package extensions

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

// simulateChild behaves like tabletop simulate, as far as the extensions see: a simulation with seed 7 runs until it is
// interrupted, and with seed 8 even then; one with seed 9 cannot start.
func simulateChild(args []string, interrupted <-chan os.Signal) int {
	fmt.Fprintln(os.Stderr, `{"level":"INFO","msg":"a line of a log"}`)
	if slices.Contains(args, "--seed=9") {
		fmt.Fprintln(os.Stderr, "tabletop: it cannot start")
		return 2
	}
	if args[1] == "fleet" {
		fmt.Fprintln(os.Stderr, `{"at":"2026-11-26T12:00:00Z","devices":5,"stored":3}`)
		fmt.Fprintln(os.Stderr, `{"at":"2026-11-26T12:00:01Z","devices":5,"stored":9}`)
	} else {
		fmt.Fprintln(os.Stderr, `{"at":"2026-11-26T12:00:00Z","simulation":"2 users","requests":11}`)
	}
	if slices.Contains(args, "--seed=7") || slices.Contains(args, "--seed=8") {
		<-interrupted
		fmt.Fprintln(os.Stderr, "Stopping: reading all data back.")
	}
	if slices.Contains(args, "--seed=8") {
		<-interrupted
	}
	fmt.Printf("ran %s, token %s\n", strings.Join(args, " "), os.Getenv("TABLETOP_ADMIN_TOKEN"))
	if slices.Contains(args, "--users=13") {
		fmt.Println("FAIL: 1 difference")
		return 1
	}
	fmt.Println("PASS: all as expected")
	return 0
}

// testSimulations are a fleet, which runs on a running backend only, and phones, which do not take the speed 2.
func testSimulations() []Simulation {
	text := func(args []string) string { return strings.Join(args, " ") }
	return []Simulation{
		{Name: "fleet", Parameters: []Parameter{{Name: "devices"}, {Name: "seed"}}, Check: func(args []string) error {
			if !strings.Contains(text(args), "--admin-token=secret") || strings.Contains(text(args), "--emulator") {
				return errors.New("no credential")
			}
			return nil
		}},
		{Name: "phones", Gateway: true, Parameters: []Parameter{{Name: "users"}, {Name: "seed"}, {Name: "speed"}},
			Check: func(args []string) error {
				if strings.Contains(text(args), "--users=0") {
					return errors.New("set --elsewhere, or --users to another value")
				}
				return nil
			}},
	}
}

// newDesk returns the extensions of tabletop up with testSimulations.
func newDesk(t *testing.T) *Extensions {
	t.Helper()
	x := newExtensions(t)
	x.cfg.Simulations = testSimulations()
	x.SetBackend(Backend{URL: "http://127.0.0.1:2", AdminToken: "secret", Gateway: "http://127.0.0.1:3"})
	return x
}

// startsSimulation starts a simulation.
func startsSimulation(t *testing.T, x *Extensions, request string) {
	t.Helper()
	got := call[simulationView](t, x.simulationsHandler(), http.MethodPost, "/runs", request, http.StatusOK)
	if got.State != jobRunning && got.State != jobEnded && got.State != jobFailed {
		t.Errorf("after the start: %+v", got)
	}
}

// endOf waits until the latest simulation has ended and returns it.
func endOf(t *testing.T, x *Extensions) simulationView {
	t.Helper()
	<-x.simulation.Load().job.ended
	return call[simulationView](t, x.simulationsHandler(), http.MethodGet, "/current", "", http.StatusOK)
}

// TestSimulationsRun runs a simulation on each target, and finds its counters, its result, and its place in the list.
func TestSimulationsRun(t *testing.T) {
	t.Parallel()
	x := newDesk(t)
	if got := call[*simulationView](t, x.simulationsHandler(), http.MethodGet, "/current", "", http.StatusOK); got != nil {
		t.Errorf("before a run: %+v", got)
	}
	for request, want := range map[string]string{
		`{"simulation":"phones","target":"separate","values":{"users":"2","seed":"1"}}`: "ran simulate phones " +
			"--progress=json --users=2 --seed=1, token \nPASS: all as expected\n",
		`{"simulation":"phones","target":"backend","values":{"speed":"5"}}`: "ran simulate phones --progress=json " +
			"--backend=http://127.0.0.1:2 --gateway=http://127.0.0.1:3 --speed=5, token secret\nPASS: all as expected\n",
		`{"simulation":"phones","target":"clock","values":{"users":"13"}}`: "ran simulate phones --progress=json " +
			"--backend=http://127.0.0.1:2 --gateway=http://127.0.0.1:3 --emulator=http://127.0.0.1:1 --users=13, " +
			"token secret\nFAIL: 1 difference\n",
	} {
		startsSimulation(t, x, request)
		got := endOf(t, x)
		if got.State != jobEnded || got.Result != want || got.Verdict != want[strings.Index(want, "\n")+1:][:4] ||
			got.People.Requests != 11 || got.Fleet != nil || len(got.History) != 1 {
			t.Errorf("%s: %+v, result %s", request, got, got.Result)
		}
	}
	startsSimulation(t, x, `{"simulation":"fleet","target":"backend","values":{"devices":"5"}}`)
	got := endOf(t, x)
	if got.Fleet == nil || got.Fleet.Stored != 9 || got.People != nil || len(got.History) != 2 ||
		got.History[0].Stored != 3 || got.Verdict != "PASS" {
		t.Errorf("%+v", got)
	}
	list := call[[]simulationView](t, x.simulationsHandler(), http.MethodGet, "/runs", "", http.StatusOK)
	if len(list) != 4 || list[0].ID != got.ID || list[0].Result != got.Result || list[0].Fleet.Stored != 9 ||
		list[0].State != jobEnded || list[0].History != nil {
		t.Errorf("%+v", list)
	}
}

// TestSimulationIsStopped starts a simulation, a second one and a load test, and stops the first, which still reads
// everything back.
func TestSimulationIsStopped(t *testing.T) {
	t.Parallel()
	x := newDesk(t)
	const long = `{"simulation":"fleet","target":"backend","values":{"seed":"7"}}`
	startsSimulation(t, x, long)
	await.True(t, "it makes progress", func() bool { return x.simulation.Load().view().Fleet != nil })
	got := call[map[string]any](t, x.simulationsHandler(), http.MethodPost, "/runs", long, http.StatusConflict)
	if got["detail"] != errBusy.Error() {
		t.Error(got)
	}
	call[map[string]any](t, x.loadHandler(), http.MethodPost, "/runs",
		`{"profile":"TL-L1","target":"embedded","seconds":1,"rateScale":1}`, http.StatusConflict)
	call[simulationView](t, x.simulationsHandler(), http.MethodDelete, "/current", "", http.StatusOK)
	if got := endOf(t, x); got.State != jobStopped || got.Verdict != "PASS" || got.Fleet.Stored != 9 {
		t.Errorf("%+v", got)
	}
	startsSimulation(t, x, `{"simulation":"phones","target":"separate","values":{"seed":"1"}}`)
	if got := endOf(t, x); got.State != jobEnded {
		t.Errorf("after a stopped one: %+v", got)
	}
}

// TestSimulationIsStoppedTwice stops a simulation that takes long to read everything back.
func TestSimulationIsStoppedTwice(t *testing.T) {
	t.Parallel()
	x := newDesk(t)
	startsSimulation(t, x, `{"simulation":"phones","target":"separate","values":{"seed":"8"}}`)
	await.True(t, "it makes progress", func() bool { return x.simulation.Load().view().People != nil })
	call[simulationView](t, x.simulationsHandler(), http.MethodDelete, "/current", "", http.StatusOK)
	await.True(t, "it reads back", func() bool { return x.simulation.Load().view().Message != "" })
	call[simulationView](t, x.simulationsHandler(), http.MethodDelete, "/current", "", http.StatusOK)
	if got := endOf(t, x); got.State != jobStopped || got.Verdict != "" {
		t.Errorf("%+v", got)
	}
}

// TestSimulationEndsWithTheEmulator closes the extensions while a simulation runs.
func TestSimulationEndsWithTheEmulator(t *testing.T) {
	t.Parallel()
	x := newDesk(t)
	const long = `{"simulation":"fleet","target":"backend","values":{"seed":"7"}}`
	startsSimulation(t, x, long)
	await.True(t, "it makes progress", func() bool { return x.simulation.Load().view().Fleet != nil })
	x.Close()
	if got := endOf(t, x); got.State != jobStopped || got.Verdict != "PASS" {
		t.Errorf("%+v", got)
	}
	call[map[string]any](t, x.simulationsHandler(), http.MethodPost, "/runs", long, http.StatusConflict)
}

// TestSimulationFails runs a simulation that cannot start as requested.
func TestSimulationFails(t *testing.T) {
	t.Parallel()
	x := newDesk(t)
	startsSimulation(t, x, `{"simulation":"phones","target":"separate","values":{"seed":"9"}}`)
	if got := endOf(t, x); got.State != jobFailed || got.Message != "tabletop: it cannot start" || got.Verdict != "" {
		t.Errorf("%+v", got)
	}
}

// TestWrongSimulationsAreRefused checks that nothing reaches the command line but parameters that its command accepts.
func TestWrongSimulationsAreRefused(t *testing.T) {
	t.Parallel()
	x := newDesk(t)
	for body, status := range map[string]int{
		`{"simulation":"elephants","target":"separate","values":{}}`:                       http.StatusUnprocessableEntity,
		`{"simulation":"phones","target":"aws","values":{}}`:                               http.StatusUnprocessableEntity,
		`{"simulation":"phones","target":"separate","values":{"speed":"2"}}`:               http.StatusUnprocessableEntity,
		`{"simulation":"phones","target":"separate","values":{"report":"/tmp/x"}}`:         http.StatusUnprocessableEntity,
		`{"simulation":"phones","target":"separate","values":{"backend":"http://evil"}}`:   http.StatusUnprocessableEntity,
		`{"simulation":"fleet","target":"separate","values":{}}`:                           http.StatusUnprocessableEntity,
		`{"simulation":"phones","target":"separate","values":{},"args":["--report=/tmp"]}`: http.StatusBadRequest,
		`[]`: http.StatusBadRequest,
	} {
		call[map[string]any](t, x.simulationsHandler(), http.MethodPost, "/runs", body, status)
	}
	got := call[map[string]any](t, x.simulationsHandler(), http.MethodPost, "/runs",
		`{"simulation":"phones","target":"separate","values":{"users":"0"}}`, http.StatusUnprocessableEntity)
	if got["field"] != "users" || got["detail"] != "set --elsewhere, or --users to another value" {
		t.Error(got)
	}
	call[map[string]any](t, x.simulationsHandler(), http.MethodDelete, "/current", "", http.StatusNotFound)
	if x.simulation.Load() != nil {
		t.Error("a child was started")
	}
}

// TestSimulationChoices asks for the choices before and after the start of the backend.
func TestSimulationChoices(t *testing.T) {
	t.Parallel()
	x := newExtensions(t)
	x.cfg.Simulations = testSimulations()
	call[map[string]any](t, x.simulationsHandler(), http.MethodGet, "/choices", "", http.StatusServiceUnavailable)
	x.SetBackend(Backend{URL: "http://127.0.0.1:2", AdminToken: "secret"})
	got := call[simulationChoices](t, x.simulationsHandler(), http.MethodGet, "/choices", "", http.StatusOK)
	var all []string
	for _, s := range got.Simulations {
		for _, target := range s.Targets {
			all = append(all, fmt.Sprint(s.Name, target.ID, len(target.Parameters)))
		}
	}
	if want := []string{"fleetbackend2", "phonesseparate2", "phonesbackend3", "phonesclock2"}; !slices.Equal(all, want) {
		t.Errorf("%v, want %v", all, want)
	}
	if got.Backend != "http://127.0.0.1:2" || got.UnusedSeed == "" {
		t.Errorf("%+v", got)
	}
}
