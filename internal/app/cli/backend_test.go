package cli

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBackendAndFleetInSeparateCommands(t *testing.T) {
	t.Parallel()
	b := start(t, "backend", "--target", "embedded", "--backend-addr", "127.0.0.1:0", "--admin-token", "token")
	docs := b.await(t, `http://[0-9.:]+/docs`)
	if status := get(t, docs, ""); status != http.StatusOK {
		t.Errorf("GET %s: %d", docs, status)
	}
	got := runCommand(t.Context(), map[string]string{"TABLETOP_ADMIN_TOKEN": "token"}, "simulate",
		"--backend", strings.TrimSuffix(docs, "/docs"), "--devices", "3", "--speed", "inf", "--duration", "1h")
	if got.status != 0 || !strings.Contains(got.stdout, "PASS: every reading was stored exactly once") {
		t.Errorf("simulate: %+v", got)
	}
	if got := b.stop(t); got.status != 0 || got.stderr != "" {
		t.Errorf("backend: %+v", got)
	}
}

func TestPushURLMustBeAURL(t *testing.T) {
	t.Parallel()
	for _, at := range []string{"nonsense", "ftp://127.0.0.1", "http://"} {
		want := `--push-url "` + at + `" is not a URL: use one such as http://127.0.0.1:8090`
		wantRefusal(t, runCommand(t.Context(), nil, "backend", "--target", "embedded", "--backend-addr", "127.0.0.1:0",
			"--push-url", at), want)
		wantRefusal(t, runCommand(t.Context(), nil, "job", "reminders", "--once", "--push-url", at), want)
	}
}

// TestBackendDoesNotPrintAGivenAdminToken checks that the user's own secret does not appear in output that is kept as a
// log.
func TestBackendDoesNotPrintAGivenAdminToken(t *testing.T) {
	t.Parallel()
	args := []string{"backend", "--systems", "telemetry", "--target", "embedded", "--backend-addr", "127.0.0.1:0"}
	given, made := start(t, append(args, "--admin-token", "s3cret-of-ours")...), start(t, args...)
	made.await(t, `Admin token +[0-9a-f]{32}`)
	given.await(t, `Admin token +set by --admin-token`)
	made.stop(t)
	if got := given.stop(t); strings.Contains(got.stdout+got.stderr, "s3cret-of-ours") {
		t.Errorf("%+v", got)
	}
}

// TestBackendsStartedAtOnceHaveTheSameKeyset has a backend that finds no file, and one that has created it meanwhile:
// the file is not replaced, because data that the other encrypts with its keys could not be read any more.
func TestBackendsStartedAtOnceHaveTheSameKeyset(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "keys.json")
	first, err := (&backendFlags{keyset: name}).piiKeyset()
	if err != nil {
		t.Fatal(err)
	}
	second, err := createKeyset(name)
	if err != nil || len(first) == 0 || string(second) != string(first) {
		t.Errorf("the second backend has %q, %v; want %q", second, err, first)
	}
	if text, err := os.ReadFile(name); err != nil || string(text) != string(first) {
		t.Errorf("the file has %q, %v; want %q", text, err, first)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("the folder has %v, %v; want only the keyset", files, err)
	}
}
