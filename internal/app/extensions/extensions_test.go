package extensions

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/internal/testutil/await"
	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/report"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

// TestMain makes the test's program the child that the extensions start, if it is called like tabletop.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-") {
		os.Exit(child(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// child behaves like tabletop loadtest run, as far as the extensions see: it ends by itself with a report, or when it
// is interrupted if its duration is an hour, or cannot start if its rate scale is 7.
func child(args []string) int {
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt)
	flag := func(name string) string { return args[slices.Index(args, name)+1] }
	if args[0] == "features" {
		return featuresChild(args)
	}
	if args[0] == "simulate" {
		return simulateChild(args, interrupted)
	}
	if flag("--rate-scale") == "7" {
		fmt.Fprintln(os.Stderr, "tabletop: it cannot start")
		return 2
	}
	const begin = `{"profile":"TL-L1","phase":"attacking",`
	fmt.Fprintln(os.Stderr, begin+`"requests":1,"series":[{"at":1,"sent":5},{"at":0,"sent":3}]}`)
	fmt.Fprintln(os.Stderr, begin+`"requests":2,"series":[{"at":1,"sent":6}]}`)
	if flag("--duration") == "3600s" {
		<-interrupted
		fmt.Fprintln(os.Stderr, "tabletop: stopped: no report was written")
		return 1
	}
	r := &result.Report{Profile: profile.Profile{ID: args[2]}, Target: strings.Join(args, " "), Started: time.Now(),
		Verdicts: []result.Verdict{{State: result.Pass}, {State: result.Fail}, {State: result.NotMeasured}}}
	if _, err := report.WriteFiles(flag("--report"), []*result.Report{r}); err != nil {
		return 3
	}
	return 1 // a limit has failed
}

// newExtensions returns the extensions of an emulator, whose children are this test's program.
func newExtensions(t *testing.T) *Extensions {
	t.Helper()
	x, err := New(Config{Reports: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	x.SetEmulator(Emulator{DynamoDBURL: "http://127.0.0.1:1"})
	t.Cleanup(x.Close)
	return x
}

// call sends a request to an extension, checks the status, and decodes the response.
func call[T any](t *testing.T, h http.Handler, method, path, body string, status int) (out T) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body)))
	if w.Code != status {
		t.Fatalf("%s %s %s: %d %s", method, path, body, w.Code, w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
		t.Fatalf("%s %s: %v: %s", method, path, err, w.Body)
	}
	return out
}

// runLoad starts a load test and returns how it ended.
func runLoad(t *testing.T, x *Extensions, request string) loadView {
	t.Helper()
	call[loadView](t, x.loadHandler(), http.MethodPost, "/runs", request, http.StatusOK)
	<-x.load.Load().job.ended
	return call[loadView](t, x.loadHandler(), http.MethodGet, "/current", "", http.StatusOK)
}

// TestLoadRun starts a load test, and finds its progress, its report, and its place in the list.
func TestLoadRun(t *testing.T) {
	t.Parallel()
	x := newExtensions(t)
	if got := call[*loadView](t, x.loadHandler(), http.MethodGet, "/current", "", http.StatusOK); got != nil {
		t.Errorf("before a run: %+v", got)
	}
	got := runLoad(t, x, `{"profile":"TL-L1","target":"emulator","seconds":7,"rateScale":0.5}`)
	if got.State != jobEnded || got.Progress.Requests != 2 || len(got.Series) != 2 || got.Series[0].Sent != 3 ||
		got.Series[1].Sent != 6 || got.Report == "" || got.Seconds != 7 {
		t.Errorf("%+v", got)
	}
	later := call[loadView](t, x.loadHandler(), http.MethodGet, fmt.Sprintf("/current?after=%d", got.Change-1), "",
		http.StatusOK)
	if len(later.Series) != 1 || later.Series[0].Sent != 6 {
		t.Errorf("after a change: %+v", later.Series)
	}
	r := call[reportView](t, x.loadHandler(), http.MethodGet, "/runs/"+got.Report, "", http.StatusOK)
	if r.Request == nil || *r.Request != (loadRequest{"TL-L1", emulatorTarget, 7, 0.5}) {
		t.Errorf("to run it again: %+v", r.Request)
	}
	want := "loadtest run TL-L1 --target url=http://127.0.0.1:1 --duration 7s --rate-scale 0.5 --report "
	if !strings.HasPrefix(r.Target, want) || !strings.HasSuffix(r.Target, " --progress json") {
		t.Errorf("the child got %s", r.Target)
	}
	list := call[[]runSummary](t, x.loadHandler(), http.MethodGet, "/runs", "", http.StatusOK)
	if len(list) != 1 || list[0].ID != got.Report || list[0].Passed != 1 || list[0].Failed != 1 ||
		list[0].NotMeasured != 1 {
		t.Errorf("%+v", list)
	}
}

// TestLoadRunIsStopped starts a load test and a second one, stops the first, and starts another.
func TestLoadRunIsStopped(t *testing.T) {
	t.Parallel()
	x := newExtensions(t)
	const long = `{"profile":"TL-L1","target":"embedded","seconds":3600,"rateScale":1}`
	call[loadView](t, x.loadHandler(), http.MethodPost, "/runs", long, http.StatusOK)
	await.True(t, "it makes progress", func() bool { return x.load.Load().view(0).Progress != nil })
	call[map[string]any](t, x.loadHandler(), http.MethodPost, "/runs", long, http.StatusConflict)
	call[loadView](t, x.loadHandler(), http.MethodDelete, "/current", "", http.StatusOK)
	<-x.load.Load().job.ended
	got := call[loadView](t, x.loadHandler(), http.MethodGet, "/current", "", http.StatusOK)
	if got.State != jobStopped || got.Report != "" || got.Message != "tabletop: stopped: no report was written" {
		t.Errorf("%+v", got)
	}
	if got := runLoad(t, x, `{"profile":"TL-L1","target":"embedded","seconds":0,"rateScale":1}`); got.State != jobEnded {
		t.Errorf("after a stopped run: %+v", got)
	}
}

// TestLoadRunEndsWithTheEmulator closes the extensions while a child runs.
func TestLoadRunEndsWithTheEmulator(t *testing.T) {
	t.Parallel()
	x := newExtensions(t)
	const long = `{"profile":"TL-L1","target":"embedded","seconds":3600,"rateScale":1}`
	call[loadView](t, x.loadHandler(), http.MethodPost, "/runs", long, http.StatusOK)
	await.True(t, "it makes progress", func() bool { return x.load.Load().view(0).Progress != nil })
	x.Close()
	if state, _ := x.load.Load().job.status(); state != jobStopped {
		t.Error(state)
	}
	call[map[string]any](t, x.loadHandler(), http.MethodPost, "/runs", long, http.StatusConflict)
}

// TestLoadRunFails runs a child that cannot start as requested.
func TestLoadRunFails(t *testing.T) {
	t.Parallel()
	x := newExtensions(t)
	got := runLoad(t, x, `{"profile":"TL-L1","target":"embedded","seconds":1,"rateScale":7}`)
	if got.State != jobFailed || got.Message != "tabletop: it cannot start" {
		t.Errorf("%+v", got)
	}
}

// TestWrongLoadRunsAreRefused checks that nothing reaches the command line but what is in the lists.
func TestWrongLoadRunsAreRefused(t *testing.T) {
	t.Parallel()
	x := newExtensions(t)
	for body, status := range map[string]int{
		`{"profile":"--help","target":"embedded","seconds":1,"rateScale":1}`:                http.StatusUnprocessableEntity,
		`{"profile":"my.yaml","target":"embedded","seconds":1,"rateScale":1}`:               http.StatusUnprocessableEntity,
		`{"profile":"tl-l1","target":"embedded","seconds":1,"rateScale":1}`:                 http.StatusUnprocessableEntity,
		`{"profile":"TL-L1","target":"aws","seconds":1,"rateScale":1}`:                      http.StatusUnprocessableEntity,
		`{"profile":"TL-L1","target":"embedded","seconds":-1,"rateScale":1}`:                http.StatusUnprocessableEntity,
		`{"profile":"TL-L1","target":"embedded","seconds":86401,"rateScale":1}`:             http.StatusUnprocessableEntity,
		`{"profile":"TL-L1","target":"embedded","seconds":1,"rateScale":0}`:                 http.StatusUnprocessableEntity,
		`{"profile":"TL-L1","target":"embedded","seconds":1,"rateScale":1,"report":"/tmp"}`: http.StatusBadRequest,
		`{"profile":"NT-L1","target":"emulator","seconds":1,"rateScale":1}`:                 http.StatusUnprocessableEntity,
		`[]`: http.StatusBadRequest,
	} {
		call[map[string]any](t, x.loadHandler(), http.MethodPost, "/runs", body, status)
	}
	x.SetEmulator(Emulator{DynamoDBURL: "http://127.0.0.1:1", Identities: true})
	call[map[string]any](t, x.loadHandler(), http.MethodPost, "/runs",
		`{"profile":"TL-L1","target":"emulator","seconds":1,"rateScale":1}`, http.StatusUnprocessableEntity)
	if x.load.Load() != nil {
		t.Error("a child was started")
	}
}

// TestComparison compares two runs, one of them of the command line.
func TestComparison(t *testing.T) {
	t.Parallel()
	x := newExtensions(t)
	at := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	var ids []string
	for i, folder := range []string{loadFolder, filepath.Join(consoleFolder, "one")} {
		r := &result.Report{Profile: profile.Profile{ID: "TL-L1"}, Target: "embedded",
			Started: at.Add(time.Duration(i) * time.Hour), Throughput: float64(10 * (i + 1))}
		if _, err := report.WriteFiles(filepath.Join(x.cfg.Reports, folder), []*result.Report{r}); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, runID(r))
	}
	got := call[comparison](t, x.loadHandler(), http.MethodGet, "/comparison?run="+ids[1]+"&run="+ids[0], "",
		http.StatusOK)
	if len(got.Profiles) != 1 || got.Runs[1].Label != "embedded, 2026-11-26 13:00:00" ||
		got.Profiles[0].Rows[0].Cells[0].Text != "10" || got.Profiles[0].Rows[0].Cells[1].Text != "20" ||
		*got.Profiles[0].Rows[0].Change != (report.Change{Text: "+100.0%", Meaning: report.Better}) {
		t.Errorf("%+v", got)
	}
	for _, query := range []string{"", "?run=" + ids[0], "?run=" + ids[0] + "&run=" + ids[0]} {
		call[map[string]any](t, x.loadHandler(), http.MethodGet, "/comparison"+query, "", http.StatusUnprocessableEntity)
	}
	call[map[string]any](t, x.loadHandler(), http.MethodGet, "/comparison?run="+ids[0]+"&run=..", "", http.StatusNotFound)
	call[map[string]any](t, x.loadHandler(), http.MethodGet, "/runs/%2e%2e", "", http.StatusNotFound)
	one := call[reportView](t, x.loadHandler(), http.MethodGet, "/runs/"+ids[0], "", http.StatusOK)
	if one.Request != nil {
		t.Errorf("a run that the console did not start has a request: %+v", one.Request)
	}
}

// TestProfilesBeforeTheEmulatorResponds asks for the choices before and after the start.
func TestProfilesBeforeTheEmulatorResponds(t *testing.T) {
	t.Parallel()
	x, err := New(Config{Reports: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	call[map[string]any](t, x.loadHandler(), http.MethodGet, "/profiles", "", http.StatusServiceUnavailable)
	x.SetEmulator(Emulator{DynamoDBURL: "http://127.0.0.1:1"})
	got := call[loadChoices](t, x.loadHandler(), http.MethodGet, "/profiles", "", http.StatusOK)
	if len(got.Profiles) == 0 || got.Profiles[0].Seconds <= 0 || got.Targets[1].DynamoDB != "http://127.0.0.1:1" {
		t.Errorf("%+v", got)
	}
}

// TestFlagsOfTheEmulatorAreNotInherited checks that a child does not see the variables that set its parent's flags.
func TestFlagsOfTheEmulatorAreNotInherited(t *testing.T) {
	t.Parallel()
	if got := inherited([]string{"PATH=/bin", "TABLETOP_TARGET=aws", "AWS_REGION=x"}); !slices.Equal(got,
		[]string{"PATH=/bin", "AWS_REGION=x"}) {
		t.Error(got)
	}
}
