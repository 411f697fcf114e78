package cli

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestListsAsJSON checks that --output json prints JSON that has the listed things.
func TestListsAsJSON(t *testing.T) {
	t.Parallel()
	s := start(t, "emulator", "--dynamodb-addr", "127.0.0.1:0", "--quiet")
	url := s.await(t, `http://\S+`)
	for _, args := range [][]string{{"tables", "create", "telemetry", "--target", "url=" + url},
		{"faults", "add", "--do", "throttle", "--name", "slow", "--operation", "PutItem", "--endpoint", url}} {
		if got := runCommand(t.Context(), nil, args...); got.status != 0 {
			t.Fatalf("%+v", got)
		}
	}
	for line, want := range map[string]string{
		"faults list --endpoint " + url: `"slow"`, "heat --endpoint " + url: `"device_readings"`, "loadtest list": `"TL-L1"`,
		"cost --endpoint " + url: `"total"`, "clock show --endpoint " + url: `"frozen"`,
		"tables describe telemetry --target url=" + url: `"device_readings"`,
	} {
		got := runCommand(t.Context(), nil, append(strings.Fields(line), "--output", "json")...)
		if got.status != 0 || !json.Valid([]byte(got.stdout)) || !strings.Contains(strings.ToLower(got.stdout),
			strings.ToLower(want)) {
			t.Errorf("%s: %+v", line, got)
		}
	}
	wantRefusal(t, runCommand(t.Context(), nil, "loadtest", "list", "--output", "xml"),
		`invalid argument "xml" for "--output" flag: use text or json: see tabletop loadtest list --help`)
	s.stop(t)
}
