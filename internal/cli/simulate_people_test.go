package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSimulatePeople needs nothing that runs already, and writes what it found as JSON too.
func TestSimulatePeople(t *testing.T) {
	t.Parallel()
	report := filepath.Join(t.TempDir(), "people.json")
	got := start(t, "simulate", "people", "--people", "2", "--duration", "48h", "--report", report).wait(t)
	if got.status != 0 || !strings.Contains(got.stdout, "OK: every event came to one end") {
		t.Fatalf("%+v", got)
	}
	text, err := os.ReadFile(report)
	var result struct {
		Reconciled bool
		Did        []struct{ Count int }
	}
	if err != nil || json.Unmarshal(text, &result) != nil || !result.Reconciled || result.Did[0].Count == 0 {
		t.Errorf("%s, error %v", text, err)
	}
}

// TestSimulatePeopleRefusals are told with their remedy, as usage errors.
func TestSimulatePeopleRefusals(t *testing.T) {
	t.Parallel()
	there := []string{"--backend", "http://127.0.0.1:1"}
	for want, args := range map[string][]string{
		"leave them out for their defaults": {"--workers", "0"},
		"give 2 to 10000":                   {"--people", "1"},
		"give 24h0m0s to 672h0m0s":          {"--duration", "700h"},
		"no push gateway":                   append(there, "--admin-token", "x"),
		"nights do not pass":                append(there, "--gateway", "http://127.0.0.1:1", "--admin-token", "x"),
		"give --admin-token":                append(there, "--gateway", "http://127.0.0.1:1", "--emulator", "http://127.0.0.1:1"),
	} {
		got := start(t, append([]string{"simulate", "people"}, args...)...).wait(t)
		if got.status != 2 || !strings.Contains(got.stderr, want) {
			t.Errorf("%v: %+v", args, got)
		}
	}
}
