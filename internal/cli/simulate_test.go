package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestSimulationsOfPeople holds that each runs by itself, ends well and leaves a report.
func TestSimulationsOfPeople(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"brewers":    {"--brewers", "2", "--duration", "72h", "--schedulers", "2"},
		"applicants": {"--applicants", "3"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report := filepath.Join(t.TempDir(), "report.json")
			got := start(t, append([]string{"simulate", name, "--report", report}, args...)...).wait(t)
			if got.status != 0 || !strings.Contains(got.stdout, "\nOK: every") {
				t.Errorf("%+v", got)
			}
			if matches, _ := filepath.Glob(report); len(matches) != 1 {
				t.Error("there is no report")
			}
		})
	}
}

// TestSimulationsElsewhere holds that people can be sent to a backend that runs already: one that goes by an emulator's clock,
// which is moved, or one whose clock is its own.
func TestSimulationsElsewhere(t *testing.T) {
	t.Parallel()
	desk := start(t, "up", "--dynamodb-addr", "127.0.0.1:0", "--backend-addr", "127.0.0.1:0", "--push-addr", "127.0.0.1:0", "--devices", "1", "--admin-token", "open")
	base := strings.TrimSuffix(desk.await(t, `http://[0-9.:]+/docs`), "/docs")
	emulator := strings.Fields(desk.await(t, `DynamoDB +http://[0-9.:]+`))[1]
	desk.await(t, "Ctrl-C stops everything")
	at := []string{"--backend", base, "--admin-token", "open"}
	squeezed := append([]string{"simulate", "brewers", "--brewers", "2", "--duration", "72h", "--speed", "200000"}, at...)
	if got := start(t, squeezed...).wait(t); got.status != 0 || !strings.Contains(got.stdout, "\nOK: every") {
		t.Errorf("%+v", got)
	}
	if got := start(t, squeezed...).wait(t); got.status != 1 || !strings.Contains(got.stderr, "give another --seed") {
		t.Errorf("the same people again: %+v", got)
	}
	commanded := append([]string{"simulate", "applicants", "--applicants", "3", "--emulator", emulator}, at...)
	if got := start(t, commanded...).wait(t); got.status != 0 || !strings.Contains(got.stdout, "\nOK: every") {
		t.Errorf("%+v", got)
	}
}

func TestSimulationsThatCannotBegin(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"brewers", "--brewers", "0"}, {"brewers", "--duration", "1h"}, {"brewers", "--schedulers", "99"}, {"brewers", "--speed", "2"},
		{"applicants", "--clients", "0"}, {"applicants", "--reviewers", "9"}, {"applicants", "--answers-lost", "1"},
		{"applicants", "--backend", "http://127.0.0.1:1"}, {"brewers", "--backend", "there", "--admin-token", "x"},
	} {
		got := start(t, append([]string{"simulate"}, args...)...).wait(t)
		if got.status != 2 || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%v: %+v", args, got)
		}
	}
}
