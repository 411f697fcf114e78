package cli

import (
	"strings"
	"testing"
)

func TestTablesCommands(t *testing.T) {
	t.Parallel()
	s := start(t, "emulator", "--dynamodb-addr", "127.0.0.1:0", "--quiet")
	target := "url=" + s.await(t, `http://127\.0\.0\.1:[0-9]+`)
	for _, c := range []struct{ verb, want string }{
		{"create", "a-device_readings    ACTIVE"},
		{"create", "a-device_readings    ACTIVE"}, // again: existing tables stay
		{"describe", "api_key_hash_index gsi1"},
		{"drop", "Deleted 4 tables\n"},
		{"describe", "MISSING"},
	} {
		got := runCommand(t.Context(), nil, "tables", c.verb, "telemetry", "--target", target, "--prefix", "a-")
		if got.status != 0 || !strings.Contains(got.stdout, c.want) {
			t.Errorf("tables %s: %+v, want %q", c.verb, got, c.want)
		}
	}
}

func TestTablesRefuseTemporaryTargets(t *testing.T) {
	t.Parallel()
	for target, want := range map[string]string{
		"embedded":       "the target embedded exists only while the command runs: use --target url=http://HOST:PORT or aws",
		"dynamodb-local": "the target dynamodb-local exists only while the command runs: use --target url=http://HOST:PORT or aws",
		"oracle":         `--target: unknown target "oracle": use embedded, url=http://HOST:PORT, alternator=http://HOST:PORT, dynamodb-local, aws, cosmos=https://HOST:PORT or azure`,
		"aws":            "--target aws: tables on AWS may cost money: confirm with --yes-spend",
	} {
		wantRefusal(t, runCommand(t.Context(), nil, "tables", "create", "--target", target), want)
	}
}
