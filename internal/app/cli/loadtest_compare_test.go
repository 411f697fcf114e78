package cli

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/report"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

// TestComparisonChecksItsTargetsFirst checks that nothing runs if a later target cannot be used.
func TestComparisonChecksItsTargetsFirst(t *testing.T) {
	t.Parallel()
	for target, says := range map[string]string{
		"foo":                    `--targets: unknown target "foo": use embedded, `,
		"url=http://127.0.0.1:1": "--targets url=http://127.0.0.1:1: cannot reach DynamoDB at http://127.0.0.1:1: ",
	} {
		got := runCommand(t.Context(), nil, "loadtest", "compare", "KF-L1", "--targets", "embedded,"+target, "--duration",
			"1s", "--report", t.TempDir())
		if got.status != 2 || got.stdout != "" || !strings.HasPrefix(got.stderr, "tabletop: "+says) {
			t.Errorf("%+v", got)
		}
	}
}

// TestComparisonHasAVerdict compares runs that passed or failed a limit: the failures of the first do not count. Limits
// are shown with the names of their metrics.
func TestComparisonHasAVerdict(t *testing.T) {
	t.Parallel()
	run := func(state result.State) string {
		dir := t.TempDir()
		r := &result.Report{Profile: profile.Profile{ID: "TL-L2"}, Verdicts: []result.Verdict{{ID: "TL-L2",
			Metric: "readings_per_second", Label: "Stored readings", Limit: "at least 1", Measured: "2", State: state}}}
		if _, err := report.WriteFiles(dir, []*result.Report{r}); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	passed, failed, better := run(result.Pass), run(result.Fail), run(result.Pass)
	for _, test := range []struct {
		runs   []string
		status int
		last   string
	}{
		{[]string{failed, passed}, 0, "PASS  limits: 1 passed, 0 failed, 0 not measured"},
		{[]string{passed, failed}, 1, "FAIL  limits: 0 passed, 1 failed, 0 not measured"},
		{[]string{passed, failed, better}, 1, "FAIL  limits: 1 passed, 1 failed, 0 not measured"},
	} {
		got := runCommand(t.Context(), nil, append([]string{"loadtest", "compare", "--report", t.TempDir()}, test.runs...)...)
		if got.status != test.status || !strings.HasSuffix(got.stdout, "\n"+test.last+"\n") {
			t.Errorf("%+v, want status %d and %q", got, test.status, test.last)
		}
		if !strings.Contains(got.stdout, "TL-L2 Stored readings at least 1") || strings.Contains(got.stdout, "_per_") {
			t.Errorf("the limit is not shown with its name:\n%s", got.stdout)
		}
	}
}

// TestIncompleteComparisonFails checks that a comparison fails if a target ran nothing, or failed to run a profile, and
// does not if a target only lacks the database of a profile.
func TestIncompleteComparisonFails(t *testing.T) {
	t.Parallel()
	dir, db := t.TempDir(), emulator.Run(t)
	write := func(id, text string) string {
		name := filepath.Join(dir, id+".yaml")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	easy := strings.Replace(impossible, "at_most: 0.0001", "at_most: 60000", 1)
	telemetry := write("TL-L1", easy)
	cosmos := write("NT-L1", strings.NewReplacer("TL-L1", "NT-L1", "title", "system: notification\ntitle",
		"devices: 2, keys: 1, readings: 0", "users: 2, notifications: 1", "ingest", "enqueue").Replace(easy))
	at, err := url.Parse(db.DynamoDBURL())
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(at)
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".CreateTable") {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"__type":"com.amazon.coral.service#AccessDeniedException","Message":"refused"}`)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(refusing.Close)
	for _, test := range []struct{ target, last, says string }{
		{refusing.URL, "FAIL", "no load profile ran on url=" + refusing.URL},
		{db.DynamoDBURL(), "PASS", ""},
	} {
		got := runCommand(t.Context(), nil, "loadtest", "compare", telemetry, cosmos, "--report", t.TempDir(), "--targets",
			"embedded,url="+test.target)
		if !strings.Contains(got.stdout, "\n"+test.last+"  limits: ") || (got.status == 1) != (test.last == "FAIL") ||
			!strings.Contains(got.stderr, test.says) {
			t.Errorf("%+v", got)
		}
	}
}

// TestEarlierRunsAreCompared runs a profile twice and compares the two report folders without another run.
func TestEarlierRunsAreCompared(t *testing.T) {
	t.Parallel()
	before, after, out := t.TempDir(), t.TempDir(), t.TempDir()
	status := 0
	for _, dir := range []string{before, after} {
		got := runCommand(t.Context(), nil, "loadtest", "run", "PE-L2", "--duration", "1s", "--rate-scale", "0.1", "--report",
			dir)
		last := got.stdout[strings.LastIndex(strings.TrimSpace(got.stdout), "\n")+1:]
		if want := map[int]string{0: "PASS  limits: ", 1: "FAIL  limits: "}[got.status]; !strings.HasPrefix(last, want) {
			t.Errorf("status %d, but the last line is %q", got.status, last)
		}
		status = got.status
	}
	got := runCommand(t.Context(), nil, "loadtest", "compare", before, filepath.Join(after, "loadtest.json"), "--report",
		out)
	if got.status != status || !strings.Contains(got.stdout, before) || !strings.Contains(got.stdout, after) ||
		!strings.Contains(got.stdout, "Throughput, requests/s") {
		t.Errorf("%+v", got)
	}
	wantRefusal(t, runCommand(t.Context(), nil, "loadtest", "compare", before), "tabletop loadtest compare compares at least "+
		"two different runs: name two report folders")
}

// TestRunsOnSeveralTargetsAreComparedByTarget checks that runs of a profile share a row only with those on the same
// target, if a folder has several.
func TestRunsOnSeveralTargetsAreComparedByTarget(t *testing.T) {
	t.Parallel()
	run := func(throughputs map[string]float64) string {
		dir := t.TempDir()
		for target, throughput := range throughputs {
			r := &result.Report{Profile: profile.Profile{ID: "PE-L2", Title: "Peak"}, Target: target, Throughput: throughput}
			if _, err := report.WriteFiles(dir, []*result.Report{r}); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	both, remote, local := run(map[string]float64{"embedded": 11, "url=http://db:8000": 22}),
		run(map[string]float64{"url=http://db:8000": 33}), run(map[string]float64{"embedded": 44})
	for _, test := range []struct {
		runs []string
		want []string
	}{
		{[]string{both, remote}, []string{"PE-L2 on embedded", "11, not run", "PE-L2 on url=http://db:8000", "22, 33"}},
		{[]string{remote, both}, []string{"PE-L2 on embedded", "not run, 11", "PE-L2 on url=http://db:8000", "33, 22"}},
		{[]string{local, remote}, []string{"PE-L2", "44, 33"}},
	} {
		got := runCommand(t.Context(), nil, append([]string{"loadtest", "compare", "--report", t.TempDir()}, test.runs...)...)
		var shown []string
		for line := range strings.Lines(got.stdout) {
			if name, _, profile := strings.Cut(line, "  Peak"); profile {
				shown = append(shown, name)
			} else if _, cells, throughput := strings.Cut(line, "Throughput, requests/s  "); throughput {
				shown = append(shown, strings.Join(regexp.MustCompile(`  +`).Split(strings.TrimSpace(cells), -1), ", "))
			}
		}
		if diff := cmp.Diff(test.want, shown); diff != "" {
			t.Errorf("%s\n%s", diff, got.stdout)
		}
	}
}
