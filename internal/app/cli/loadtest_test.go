package cli

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	vegeta "github.com/tsenart/vegeta/v12/lib"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/loadtest"
	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/report"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

// impossible is a profile whose limits no target can meet.
const impossible = `
id: TL-L1
title: Answers before the question
figure: none
stages: [{rate: 20, duration: 200ms}]
population: {devices: 2, keys: 1, readings: 0}
mix: [{request: ingest, weight: 1}]
limits: [{id: TL-L1, of: p99_ms, at_most: 0.0001}]
`

func TestFailedLimitFailsTheRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	profile := filepath.Join(dir, "impossible.yaml")
	if err := os.WriteFile(profile, []byte(impossible), 0o600); err != nil {
		t.Fatal(err)
	}
	got := runCommand(t.Context(), nil, "loadtest", "run", profile, "--report", dir)
	if got.status != 1 || !strings.HasSuffix(got.stderr, "tabletop: limits failed: 1; see the report\n") {
		t.Errorf("%+v", got)
	}
	for _, name := range []string{"loadtest.html", "loadtest.json"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

// TestEachTryHasItsOwnTables checks that a further try on a shared database does not find the readings that the earlier
// one stored, which it would report as never acknowledged.
func TestEachTryHasItsOwnTables(t *testing.T) {
	t.Parallel()
	profile := writeFile(t, "impossible.yaml", strings.Replace(impossible, "limits: [",
		"limits: [{id: TL-L1, of: unacknowledged, at_most: 0}, ", 1))
	got := runCommand(t.Context(), nil, "loadtest", "run", profile, "--tries", "2", "--target",
		"url="+emulator.Run(t).DynamoDBURL(), "--report", t.TempDir())
	if got.status != 1 || !strings.HasSuffix(got.stdout, "\nFAIL  limits: 2 passed, 1 failed, 0 not measured\n") {
		t.Errorf("%+v", got)
	}
}

// TestABrokenInvariantFailsTheRun checks that the report of a run has what breaks an invariant of the user's own, in
// every form, besides the rules of the system.
func TestABrokenInvariantFailsTheRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	profile, file := filepath.Join(dir, "possible.yaml"), filepath.Join(dir, "invariants.yaml")
	for name, text := range map[string]string{
		profile: strings.Replace(impossible, "at_most: 0.0001", "at_most: 60000", 1),
		file:    "invariants: [{name: no device is listed, table: devices, each: attribute_not_exists(gsi1pk)}]",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got := runCommand(t.Context(), nil, "loadtest", "run", profile, "--report", dir)
	if got.status != 0 || !strings.Contains(got.stdout, "14 of 14") {
		t.Errorf("without a broken invariant: %+v", got)
	}
	got = runCommand(t.Context(), nil, "loadtest", "run", profile, "--report", dir, "--invariants", file)
	if got.status != 1 || !strings.Contains(got.stdout, "  broken: no device is listed\n      {capabilities: map of 2, ") ||
		!strings.Contains(got.stdout, "14 of 15") {
		t.Errorf("%+v", got)
	}
	for name, want := range map[string]string{
		"loadtest.html": "<b>Broken: no device is listed</b></p>\n<ul><li><code>{capabilities: map of 2, ",
		"loadtest.json": `"broken_invariants": [`,
	} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s lacks %s: %v", name, want, err)
		}
	}
	got = runCommand(t.Context(), nil, "loadtest", "run", profile, "--invariants", file, "--backend", "http://127.0.0.1:1",
		"--admin-token", "x")
	if got.status != 2 || !strings.Contains(got.stderr, "--invariants requires a database") {
		t.Errorf("%+v", got)
	}
	got = runCommand(t.Context(), nil, "loadtest", "run", profile, "--invariants", file, "--record",
		filepath.Join(dir, "r.jsonl"))
	if got.status != 2 || !strings.Contains(got.stderr, "--record would record the checks") {
		t.Errorf("%+v", got)
	}
}

// TestLoadtestExports checks that the exports contain every request that the report counts.
func TestLoadtestExports(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	profile := filepath.Join(dir, "impossible.yaml")
	if err := os.WriteFile(profile, []byte(strings.Replace(impossible, "at_most: 0.0001", "at_most: 60000", 1)),
		0o600); err != nil {
		t.Fatal(err)
	}
	got := runCommand(t.Context(), nil, "loadtest", "run", profile, "--report", dir, "--export",
		filepath.Join(dir, "exports"))
	if got.status != 0 {
		t.Fatalf("%+v", got)
	}
	f, err := os.Open(filepath.Join(dir, "exports", "TL-L1.vegeta"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	decoder, n := vegeta.NewDecoder(f), 0
	for decoder.Decode(&vegeta.Result{}) == nil {
		n++
	}
	if n != 4 {
		t.Errorf("%d results, not 20 a second for 200 ms", n)
	}
}

// TestUndecidedLimitsDoNotFailTheRun checks which limits fail a run on a shared machine and a shortened one: not those
// that it cannot measure, which the last line names; with --strict, latency and rate of a shortened run too. The
// invariants of the system's rules are one limit more, which passes.
func TestUndecidedLimitsDoNotFailTheRun(t *testing.T) {
	t.Parallel()
	const latency, rate, readings, lost = "of: p99_ms, at_most: 0.0001", "of: rate_share, at_least: 1.5",
		"of: readings_per_second, at_least: 100", "of: lost, at_least: 1"
	dir := t.TempDir()
	for _, c := range []struct{ flags, limit, undecided string }{
		{"--shared-machine", latency, "Latency p99"}, {"--shared-machine", rate, ""}, {"--shared-machine", readings, ""},
		{"--shared-machine", lost, ""}, {"--duration 100ms", latency, "Latency p99"},
		{"--duration 100ms", rate, "Throughput"}, {"--duration 100ms", lost, ""}, {"--duration 100ms --strict", latency, ""},
		{"--duration 100ms --strict", rate, ""},
	} {
		profile := filepath.Join(dir, "impossible.yaml")
		if err := os.WriteFile(profile, []byte(strings.Replace(impossible, latency, c.limit, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		args := append([]string{"loadtest", "run", profile, "--report", dir}, strings.Fields(c.flags)...)
		got, status, want := runCommand(t.Context(), nil, args...), 1, "FAIL  limits: 1 passed, 1 failed, 0 not measured"
		if c.undecided != "" {
			status, want = 0, "PASS  limits: 1 passed, 0 failed, 1 not measured: "+c.undecided+" (TL-L1)"
		}
		if got.status != status || !strings.HasSuffix(got.stdout, "\n"+want+"\n") {
			t.Errorf("%+v: %+v, want %d and %s", c, got, status, want)
		}
	}
}

func TestLoadtestList(t *testing.T) {
	t.Parallel()
	got := runCommand(t.Context(), nil, "loadtest", "list")
	if got.status != 0 || !strings.Contains(got.stdout, "TL-L2-extreme  1m0s") {
		t.Errorf("%+v", got)
	}
}

// TestLoadProfilesOfAnotherDatabaseAreRefusedOrSkipped checks that profiles of another database are refused if named,
// and skipped if all are run.
func TestLoadProfilesOfAnotherDatabaseAreRefusedOrSkipped(t *testing.T) {
	t.Parallel()
	target := "cosmos=" + startCosmosAccount(t)
	wantRefusal(t, runCommand(t.Context(), nil, "loadtest", "run", "TL-L1", "--target", target),
		"TL-L1: requires DynamoDB: a Cosmos DB endpoint has no DynamoDB; use --target embedded, url=http://HOST:PORT, dynamodb-local or aws")
	profiles, err := loadtest.Find("TL-L1", "VR-L4")
	if err != nil {
		t.Fatal(err)
	}
	var told strings.Builder
	cmd := &cobra.Command{}
	cmd.SetContext(t.Context())
	cmd.SetErr(&told)
	all := loadFlags{target: targetFlags{name: target}, scale: 1, tries: 1, all: true}
	failed := func(p profile.Profile, err error) { t.Errorf("%s: %v", p.ID, err) }
	reports, err := all.runAll(cmd, profiles, failed)
	if err != nil || len(reports) != 0 || strings.Count(told.String(),
		" skipped: a Cosmos DB endpoint has no DynamoDB") != 2 {
		t.Errorf("%d reports, %v\n%s", len(reports), err, &told)
	}
	told.Reset()
	all = loadFlags{backendURL: "http://127.0.0.1:1", adminToken: "x", scale: 1, tries: 1, all: true}
	reports, err = all.runAll(cmd, profiles[1:], failed)
	if err != nil || len(reports) != 0 || told.String() != "VR-L4 skipped: it loads a table: use --target\n" {
		t.Errorf("on a backend: %d reports, %v\n%s", len(reports), err, &told)
	}
}

// TestAFailedProfileLeavesTheOtherReports checks that a profile that cannot run fails the command, but does not discard
// the results of the others.
func TestAFailedProfileLeavesTheOtherReports(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	got := runCommand(t.Context(), nil, "loadtest", "run", "NT-L1", writeFile(t, "easy.yaml", strings.Replace(impossible,
		"at_most: 0.0001", "at_most: 60000", 1)), "--target", "url="+emulator.Run(t).DynamoDBURL(), "--report", dir)
	if got.status != 1 || !strings.HasSuffix(got.stdout, "\nFAIL  limits: 2 passed, 0 failed, 0 not measured\n") ||
		!strings.Contains(got.stderr, "tabletop: not every load profile ran: NT-L1: requires Cosmos DB: ") {
		t.Errorf("%+v", got)
	}
	if _, err := os.Stat(filepath.Join(dir, "loadtest.html")); err != nil {
		t.Error(err)
	}
}

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

func TestLoadtestRecordsItsRequests(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	profile := filepath.Join(dir, "impossible.yaml")
	if err := os.WriteFile(profile, []byte(strings.Replace(impossible, "at_most: 0.0001", "at_most: 60000", 1)),
		0o600); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "requests.jsonl")
	run := []string{"loadtest", "run", profile, "--report", dir, "--record", file}
	if got := runCommand(t.Context(), nil, run...); got.status != 0 {
		t.Fatalf("%+v", got)
	}
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), `"operation":"CreateTable"`) {
		t.Errorf("%v, recorded %.1000s", err, text)
	}
	got := runCommand(t.Context(), nil, "advise", file)
	if got.status == 2 || !strings.Contains(got.stdout, " requests in ") {
		t.Errorf("%+v", got)
	}
	got = runCommand(t.Context(), nil, run...)
	if got.status == 0 || !strings.Contains(got.stderr, "the file already exists") {
		t.Errorf("again: %+v", got)
	}
	wantRefusal(t, runCommand(t.Context(), nil, "loadtest", "run", "--record", file), "--record requires one PROFILE on "+
		"the target embedded, without --tries: record other emulators with tabletop emulator --record")
}
