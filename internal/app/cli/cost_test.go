package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCost(t *testing.T) {
	t.Parallel()
	recording := filepath.Join(t.TempDir(), "run.jsonl")
	s := start(t, "emulator", "--dynamodb-addr", "127.0.0.1:0", "--quiet", "--clock-start", "2030-01-01T00:00:00Z",
		"--speed", "0.001", "--record", recording)
	url := s.await(t, `http://\S+`)
	for _, step := range []struct{ command, prints string }{
		{"tables create --target url=" + url, "ACTIVE"},
		{"clock advance 1h --endpoint " + url, "2030"},
		{"cost --gross --endpoint " + url, "transfer to the internet"},
		{"cost --json --monthly --region eu-west-1 --endpoint " + url, `"monthly": true`},
		{"cost --begin --endpoint " + url, "total"},
		{"cost --documents", "PE-C1"},
	} {
		got := runCommand(t.Context(), nil, strings.Fields(step.command)...)
		if got.status != 0 || !strings.Contains(got.stdout, step.prints) {
			t.Errorf("%s: %+v", step.command, got)
		}
	}
	s.stop(t)
	if got := runCommand(t.Context(), nil, "cost", "--recording", recording); got.status != 0 ||
		!strings.Contains(got.stdout, "us-east-1") {
		t.Errorf("%+v", got)
	}
	checkCostErrors(t, recording)
}

// checkCostErrors checks that errors name the remedy.
func checkCostErrors(t *testing.T, recording string) {
	t.Helper()
	wrong := filepath.Join(t.TempDir(), "prices.yaml")
	if err := os.WriteFile(wrong, []byte("regions: gold\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for command, says := range map[string]string{
		"cost --region moon-1 --recording " + recording:  `no prices for region "moon-1": use one of ap-southeast-2,`,
		"cost --begin --recording " + recording:          "use one of them",
		"cost --recording " + wrong:                      "line 1: not a recording",
		"cost --prices " + wrong:                         "prices.yaml:1: expected a map",
		"cost --endpoint http://127.0.0.1:1":             "cannot reach an emulator at",
		"emulator --show-cost=moon-1 --dynamodb-addr :0": "--show-cost: no prices for region",
	} {
		got := runCommand(t.Context(), nil, strings.Fields(command)...)
		if got.status != 2 || !strings.Contains(got.stderr, says) || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%s: %+v", command, got)
		}
	}
}
