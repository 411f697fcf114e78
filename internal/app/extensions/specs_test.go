package extensions

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/features/report"
)

// featuresChild behaves like tabletop features: one scenario ends, whose name is the command line, unless that names
// scenarios. It fails.
func featuresChild(args []string) int {
	name := strings.Join(args, " ")
	if strings.Contains(name, ".feature:") {
		name = lookedUp
	}
	fmt.Fprintf(os.Stderr, `{"done":1,"failed":1,"total":2,"scenario":{"name":%q,"ids":["TL-P1"],"outcome":"failed",`+
		`"system":"telemetry","file":"registration.feature","reason":%q,`+
		`"trace":[{"step":0,"service":"dynamodb","operation":"Query","status":200}]}}`+"\n", name, strings.Join(args, " "))
	return 1
}

// lookedUp is the name of a scenario of the file registration.feature of the system telemetry.
const lookedUp = "A device is looked up by its hardware address"

// runSpecs starts a run of scenarios and returns how it ended.
func runSpecs(t *testing.T, x *Extensions, request string) specsRunView {
	t.Helper()
	call[specsRunView](t, x.specsHandler(), http.MethodPost, "/runs", request, http.StatusOK)
	<-x.specs.Load().job.ended
	return call[specsRunView](t, x.specsHandler(), http.MethodGet, "/current", "", http.StatusOK)
}

// TestSpecsRun runs requirements, a clause, a system, and all.
func TestSpecsRun(t *testing.T) {
	t.Parallel()
	x := newExtensions(t)
	if got := call[*specsRunView](t, x.specsHandler(), http.MethodGet, "/current", "", http.StatusOK); got != nil {
		t.Errorf("before a run: %+v", got)
	}
	for id, want := range map[string]string{
		"TL-P1": " --trace --tags @TL-P1", "KF-R5.retry": " --trace --tags @KF-R5.retry", "": " --target embedded"} {
		got := runSpecs(t, x, `{"id":"`+id+`"}`)
		if got.State != jobEnded || got.Done != 1 || got.Total != 2 || got.Failed != 1 || len(got.Scenarios) != 1 ||
			got.Scenarios[0].Traced != 1 || !strings.HasSuffix(got.Scenarios[0].Name, want) {
			t.Errorf("%s: %+v", id, got)
		}
	}
	if got := runSpecs(t, x, `{"id":"TL"}`); !strings.Contains(got.Scenarios[0].Name, "@TL-P1 or @TL-P2") ||
		strings.Contains(got.Scenarios[0].Name, "TL-L1") {
		t.Errorf("%+v", got)
	}
	scenarios := "/runs/" + x.specs.Load().id + "/scenarios/"
	s := call[report.Scenario](t, x.specsHandler(), http.MethodGet, scenarios+"0", "", http.StatusOK)
	if len(s.Trace) != 1 || s.Trace[0].Operation != "Query" {
		t.Errorf("%+v", s)
	}
	for _, number := range []string{"1", "-1", "x"} {
		call[map[string]any](t, x.specsHandler(), http.MethodGet, scenarios+number, "", http.StatusNotFound)
	}
	later := call[specsRunView](t, x.specsHandler(), http.MethodGet, "/current?after=1", "", http.StatusOK)
	if len(later.Scenarios) != 0 || later.Done != 1 {
		t.Errorf("%+v", later)
	}
}

// TestScenariosRunAgain runs one scenario, then the failed ones of that run: while it is the latest run, and when it is
// a saved one.
func TestScenariosRunAgain(t *testing.T) {
	t.Parallel()
	x := newExtensions(t)
	const one = `"scenario":{"system":"telemetry","file":"registration.feature","name":"` + lookedUp + `"}`
	const want = " --target embedded --trace features/telemetry/registration.feature:26"
	got := runSpecs(t, x, `{"id":"TL-P3",`+one+`}`)
	if len(got.Scenarios) != 1 || !strings.HasSuffix(got.Scenarios[0].Reason, want) ||
		got.Request.Scenario.Name != lookedUp {
		t.Errorf("%+v, want %s", got, want)
	}
	first := got.ID
	for range 2 {
		got = runSpecs(t, x, `{"id":"TL-P3","failedOf":"`+first+`"}`)
		if len(got.Scenarios) != 1 || !strings.HasSuffix(got.Scenarios[0].Reason, want) || got.Request.FailedOf != first {
			t.Errorf("%+v, want %s", got, want)
		}
	}
	x.specs.Load().done[0].Outcome = report.Passed
	for body, status := range map[string]int{
		`{"failedOf":"` + got.ID + `"}`:                                          http.StatusUnprocessableEntity,
		`{"failedOf":"20260101T000000.000Z"}`:                                    http.StatusNotFound,
		`{"failedOf":"../features"}`:                                             http.StatusNotFound,
		`{"failedOf":"` + first + `",` + one + `}`:                               http.StatusUnprocessableEntity,
		`{"id":"--help","failedOf":"` + first + `"}`:                             http.StatusUnprocessableEntity,
		`{"scenario":{"system":"x","file":"--help"}}`:                            http.StatusUnprocessableEntity,
		`{"scenario":` + strings.ReplaceAll(one, "looked up", "lost")[11:] + `}`: http.StatusUnprocessableEntity,
	} {
		call[map[string]any](t, x.specsHandler(), http.MethodPost, "/runs", body, status)
	}
}

// TestWrongSpecsRunsAreRefused checks that only ids of the catalogue become tags.
func TestWrongSpecsRunsAreRefused(t *testing.T) {
	t.Parallel()
	x := newExtensions(t)
	for body, status := range map[string]int{
		`{"id":"TL-X"}`:                    http.StatusUnprocessableEntity,
		`{"id":"TL-P1 or @TL-P2"}`:         http.StatusUnprocessableEntity,
		`{"id":"@TL-P1"}`:                  http.StatusUnprocessableEntity,
		`{"id":"TL-L1"}`:                   http.StatusUnprocessableEntity,
		`{"id":"TL-P1","target":"--help"}`: http.StatusBadRequest,
	} {
		call[map[string]any](t, x.specsHandler(), http.MethodPost, "/runs", body, status)
	}
	call[map[string]any](t, x.specsHandler(), http.MethodDelete, "/current", "", http.StatusNotFound)
}

// TestMatrix reads the results of a run, and one requirement of them.
func TestMatrix(t *testing.T) {
	t.Parallel()
	x := newExtensions(t)
	empty := call[specsView](t, x.specsHandler(), http.MethodGet, "/", "", http.StatusOK)
	if len(empty.Targets) != 0 || len(empty.Groups) < 5 || len(empty.Groups[0].Rows[0].Cells) != 0 {
		t.Errorf("without results: %+v", empty.Targets)
	}
	run := report.Run{Target: "embedded", Scenarios: []report.Scenario{{System: "telemetry", File: "a.feature", Name: "s",
		IDs: []string{"TL-P1"}, Outcome: report.Passed, Steps: []report.Step{{Keyword: "Given", Text: "x"}}}}}
	if _, err := report.Write(filepath.Join(x.cfg.Reports, featuresFolder), nil, run); err != nil {
		t.Fatal(err)
	}
	got := call[specsView](t, x.specsHandler(), http.MethodGet, "/", "", http.StatusOK)
	if len(got.Targets) != 1 || got.Targets[0].Scenarios != 1 {
		t.Errorf("%+v", got.Targets)
	}
	one := call[requirementView](t, x.specsHandler(), http.MethodGet, "/requirements/TL-P1", "", http.StatusOK)
	if len(one.Scenarios) < 2 || one.Scenarios[0].Results[0].Outcome != report.Passed || one.Cells[0].Passed != 1 ||
		len(one.Scenarios[0].Steps) != 1 {
		t.Errorf("%+v", one)
	}
	if s := one.Scenarios[1]; s.Outcome != report.NotRun || s.System != "telemetry" || s.Line == 0 || len(s.Steps) == 0 ||
		s.Steps[0].Keyword != "Given" || len(s.Results) != 1 || s.Results[0] != nil {
		t.Errorf("a scenario that has not run is %+v", s)
	}
	call[map[string]any](t, x.specsHandler(), http.MethodGet, "/requirements/TL-X", "", http.StatusNotFound)
}

// TestSpecsRunsAreSaved reads a run and its requests after a later run, and after a restart of the program.
func TestSpecsRunsAreSaved(t *testing.T) {
	t.Parallel()
	x := newExtensions(t)
	first := runSpecs(t, x, `{"id":"TL-P1"}`)
	last := runSpecs(t, x, `{"id":"KF-R5"}`)
	again, err := New(Config{Reports: x.cfg.Reports})
	if err != nil {
		t.Fatal(err)
	}
	for name, x := range map[string]*Extensions{"after a later run": x, "after a restart": again} {
		list := call[[]specsRunView](t, x.specsHandler(), http.MethodGet, "/runs", "", http.StatusOK)
		if len(list) != 2 || list[0].ID != last.ID || list[1].ID != first.ID || list[1].Failed != 1 || list[1].Total != 2 ||
			list[1].State != jobEnded || list[1].Request.ID != "TL-P1" || len(list[1].Scenarios) != 0 {
			t.Errorf("%s: %+v", name, list)
		}
		one := call[specsRunView](t, x.specsHandler(), http.MethodGet, "/runs/"+first.ID, "", http.StatusOK)
		if len(one.Scenarios) != 1 || one.Scenarios[0].Traced != 1 {
			t.Errorf("%s: %+v", name, one)
		}
		s := call[report.Scenario](t, x.specsHandler(), http.MethodGet, "/runs/"+first.ID+"/scenarios/0", "", http.StatusOK)
		if len(s.Trace) != 1 || s.Trace[0].Operation != "Query" {
			t.Errorf("%s: %+v", name, s)
		}
		for _, path := range []string{"/runs/" + first.ID + "/scenarios/1", "/runs/20260101T000000.000Z", "/runs/%2e%2e",
			"/runs/20260101T000000.000Z/scenarios/0"} {
			call[map[string]any](t, x.specsHandler(), http.MethodGet, path, "", http.StatusNotFound)
		}
	}
}

// TestOldSpecsRunsAreRemoved saves more runs than are kept, beside a folder of somebody else.
func TestOldSpecsRunsAreRemoved(t *testing.T) {
	t.Parallel()
	x := newExtensions(t)
	runSpecs(t, x, `{"id":"TL-P1"}`)
	s := x.savedSpecs()
	other := filepath.Join(string(s.savedRuns), "mine")
	if err := os.Mkdir(other, 0o755); err != nil {
		t.Fatal(err)
	}
	run := x.specs.Load()
	for i := range maxSavedRuns {
		later := &specsRun{id: fmt.Sprintf("29990101T0000%02d.000Z", i), job: run.job, done: run.done}
		if err := s.save(later, jobEnded); err != nil {
			t.Fatal(err)
		}
	}
	ids, err := s.ids()
	if err != nil || len(ids) != maxSavedRuns || ids[0] != "29990101T000019.000Z" || ids[maxSavedRuns-1] !=
		"29990101T000000.000Z" {
		t.Errorf("%v, %v", ids, err)
	}
	if _, err := os.Stat(other); err != nil {
		t.Error(err)
	}
}
