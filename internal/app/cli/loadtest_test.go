package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	vegeta "github.com/tsenart/vegeta/v12/lib"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/loadtest"
	"github.com/tabletop-db/tabletop/loadtest/profile"
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
