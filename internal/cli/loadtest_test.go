package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// impossible is a profile that no target can hold.
const impossible = `
id: TL-L1
title: Answers before the question
figure: none
stages: [{rate: 20, duration: 200ms}]
population: {devices: 2, keys: 1, readings: 0}
mix: [{request: ingest, weight: 1}]
limits: [{id: TL-L1, of: p99_ms, at_most: 0.0001}]
`

func TestMissedLimitFailsTheRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	profile := filepath.Join(dir, "impossible.yaml")
	if err := os.WriteFile(profile, []byte(impossible), 0o600); err != nil {
		t.Fatal(err)
	}
	got := runCommand(t.Context(), nil, "loadtest", "run", profile, "--report", dir)
	if got.status != 1 || !strings.HasSuffix(got.stderr, "tabletop: limits missed: 1; the report shows which\n") {
		t.Errorf("%+v", got)
	}
	for _, name := range []string{"loadtest.html", "loadtest.json"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

func TestLoadtestListsTheProfiles(t *testing.T) {
	t.Parallel()
	got := runCommand(t.Context(), nil, "loadtest", "list")
	if got.status != 0 || !strings.Contains(got.stdout, "TL-L2-extreme  1m0s") {
		t.Errorf("%+v", got)
	}
}
