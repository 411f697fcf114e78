package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const testIdentities = `
users:
  telemetry: {keys: [{id: AKIATELEMETRY0000001, secret: secret-of-telemetry}], policies: [AdministratorAccess]}
  nobody: {keys: [{id: AKIANOBODY0000000001, secret: secret-of-nobody}]}
`

// TestCommandsUseCredentialsFromTheEnvironment sends requests to an emulator with identities: without a key, with a
// known key, and with a wrong secret. It sets environment variables, so it is not parallel.
func TestCommandsUseCredentialsFromTheEnvironment(t *testing.T) {
	file := filepath.Join(t.TempDir(), "identities.yaml")
	if err := os.WriteFile(file, []byte(testIdentities), 0o600); err != nil {
		t.Fatal(err)
	}
	s := start(t, "emulator", "--dynamodb-addr", "127.0.0.1:0", "--quiet", "--identities", file)
	url := s.await(t, `http://127\.0\.0\.1:[0-9]+`)
	for _, c := range []struct {
		id, secret string
		status     int
		want       string
	}{
		{"", "", 2, url + " rejected the credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to an access key of a user"},
		{"AKIATELEMETRY0000001", "wrong", 2, url + " rejected the credentials"},
		{"AKIANOBODY0000000001", "secret-of-nobody", 1, "not authorized to perform: "},
		{"AKIATELEMETRY0000001", "secret-of-telemetry", 0, "device_readings"},
	} {
		t.Setenv("AWS_ACCESS_KEY_ID", c.id)
		t.Setenv("AWS_SECRET_ACCESS_KEY", c.secret)
		got := runCommand(t.Context(), nil, "tables", "create", "--target", "url="+url)
		if got.status != c.status || !strings.Contains(got.stdout+got.stderr, c.want) {
			t.Errorf("as %q: %+v, want %d and %q", c.id, got, c.status, c.want)
		}
	}
}

// TestUpRunsTheBackendAsAUser starts `tabletop up` with identities, which succeeds only if the backend's user is
// allowed in.
func TestUpRunsTheBackendAsAUser(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "identities.yaml")
	if err := os.WriteFile(file, []byte(testIdentities), 0o600); err != nil {
		t.Fatal(err)
	}
	got := runCommand(t.Context(), nil, "up", "--dynamodb-addr", "127.0.0.1:0", "--push-addr", "127.0.0.1:0",
		"--backend-addr", "127.0.0.1:0", "--devices", "3",
		"--speed", "inf", "--duration", "15m", "--identities", file, "--backend-user", "telemetry")
	if got.status != 0 || !strings.Contains(got.stdout, "PASS: every reading was stored exactly once") {
		t.Errorf("%+v", got)
	}
}
