package cli

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/console"
)

// TestBackupOfARunningEmulator backs up a running emulator and starts another on the backup.
func TestBackupOfARunningEmulator(t *testing.T) {
	t.Parallel()
	db := emulator.Run(t, console.Option(), emulator.WithData(filepath.Join(t.TempDir(), "data")))
	putItem(t, db, "1")
	backup := filepath.Join(t.TempDir(), "backups", "monday")
	got := runCommand(t.Context(), nil, "backup", backup, "--endpoint", db.DynamoDBURL())
	if got.status != 0 || !strings.Contains(got.stdout, "PASS  format 4") || !strings.Contains(got.stdout,
		"tabletop emulator --data "+backup) {
		t.Errorf("%+v", got)
	}
	hasItem(t, backup)
	wantRefusal(t, runCommand(t.Context(), nil, "backup", backup, "--endpoint", db.DynamoDBURL()),
		backup+" already exists: use a new folder; to back up a folder that no emulator is using, give DIR and NEWDIR")
	byVariable := runCommand(t.Context(), map[string]string{"TABLETOP_ENDPOINT": db.DynamoDBURL()}, "backup", backup+"-2")
	if byVariable.status != 0 {
		t.Errorf("the endpoint by a variable: %+v", byVariable)
	}
	stopped := runCommand(t.Context(), map[string]string{"TABLETOP_ENDPOINT": db.DynamoDBURL()}, "backup",
		backup+"-2", backup+"-3")
	if stopped.status != 0 {
		t.Errorf("a folder, with the variable set: %+v", stopped)
	}
}

// TestBackupExcludesAnExternalRootKey backs up an emulator whose root key is outside its data folder.
func TestBackupExcludesAnExternalRootKey(t *testing.T) {
	t.Parallel()
	key := filepath.Join(t.TempDir(), "desk.key")
	db := emulator.Run(t, console.Option(), emulator.WithData(t.TempDir()), emulator.WithRootKey(key))
	backup := filepath.Join(t.TempDir(), "backup")
	blind := runCommand(t.Context(), nil, "backup", backup, "--endpoint", db.DynamoDBURL())
	if blind.status != 0 || !strings.Contains(blind.stdout, "Not checked: the root key is not in the folder") {
		t.Errorf("without the key: %+v", blind)
	}
	if _, err := os.Stat(filepath.Join(backup, "root.key")); err == nil {
		t.Error("the key went along")
	}
	examined := runCommand(t.Context(), nil, "backup", backup+"-2", "--endpoint", db.DynamoDBURL(), "--root-key", key)
	if examined.status != 0 || !strings.Contains(examined.stdout, "PASS") {
		t.Errorf("with the key: %+v", examined)
	}
	other := filepath.Join(t.TempDir(), "other.key")
	if err := os.WriteFile(other, []byte("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	wrong := runCommand(t.Context(), nil, "backup", backup+"-3", "--endpoint", db.DynamoDBURL(), "--root-key", other)
	if wrong.status != 2 || !strings.Contains(wrong.stderr, "is encrypted with another root key than the one in "+other) {
		t.Errorf("with another key: %+v", wrong)
	}
	if _, err := os.Stat(backup + "-3"); err == nil {
		t.Error("after the refusal there is a folder")
	}
}

func TestInvalidBackupCommandsAreRefused(t *testing.T) {
	t.Parallel()
	memory := emulator.Run(t, console.Option())
	for _, c := range []struct {
		line   string
		status int
		want   string
	}{
		{"backup", 2, "tabletop backup takes NEWDIR, or DIR and NEWDIR: see tabletop backup --help"},
		{"backup a b c", 2, "tabletop backup takes NEWDIR, or DIR and NEWDIR: see tabletop backup --help"},
		{"backup a b --endpoint http://127.0.0.1:1", 2,
			"--endpoint cannot be combined with DIR: to back up a running emulator, use tabletop backup b --endpoint URL"},
		{"backup new --endpiont x", 2, "unknown flag: --endpiont: see tabletop backup --help"},
		{"backup new --endpoint 8000", 2, `--endpoint "8000" is not a URL: use one such as http://127.0.0.1:8000`},
		{"backup new --endpoint http://127.0.0.1:1", 2, "cannot reach an emulator at http://127.0.0.1:1"},
		{"backup new --endpoint " + memory.DynamoDBURL(), 1,
			"the data is in memory and cannot be backed up: start the emulator with --data"},
	} {
		got := runCommand(t.Context(), nil, strings.Fields(c.line)...)
		if got.status != c.status || !strings.HasPrefix(got.stderr, "tabletop: "+c.want) ||
			strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%s: %+v, want %d %s", c.line, got, c.status, c.want)
		}
	}
	if _, err := os.Stat("new"); err == nil {
		t.Error("a folder was made")
	}
}

// TestBackupOfAFolderInUseSuggestsEndpoint backs up the folder of a running emulator.
func TestBackupOfAFolderInUseSuggestsEndpoint(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	emulator.Run(t, console.Option(), emulator.WithData(dir))
	got := runCommand(t.Context(), nil, "backup", dir, filepath.Join(t.TempDir(), "new"))
	if got.status != 2 || !strings.Contains(got.stderr, "tabletop backup NEWDIR --endpoint URL") {
		t.Errorf("%+v", got)
	}
}

// startRelay serves the emulator's responses with their bodies passed through change.
func startRelay(t *testing.T, to string, change func(io.Reader) io.Reader) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := forwardUntilAccepted(r, to)
		defer answer.Body.Close()
		w.Header().Set(emulator.BackupSizeHeader, answer.Header.Get(emulator.BackupSizeHeader))
		if _, err := io.Copy(w, change(answer.Body)); err != nil {
			panic(http.ErrAbortHandler)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// forwardUntilAccepted forwards a request until no earlier backup, whose client has just disconnected, blocks it.
func forwardUntilAccepted(r *http.Request, to string) *http.Response {
	for {
		out, err := http.NewRequestWithContext(r.Context(), r.Method, to+r.URL.Path, nil)
		if err != nil {
			panic(err)
		}
		out.Header.Set("Content-Type", "application/json")
		answer, err := http.DefaultClient.Do(out)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		if answer.StatusCode != http.StatusConflict {
			return answer
		}
		_ = answer.Body.Close()
	}
}

// TestInterruptedBackupLeavesNoFolder ends the connection or the stream in the middle of the response, and interrupts
// the command.
func TestInterruptedBackupLeavesNoFolder(t *testing.T) {
	t.Parallel()
	db := emulator.Run(t, console.Option(), emulator.WithData(t.TempDir()))
	putItem(t, db, "1")
	ctx, interrupt := context.WithCancel(t.Context())
	for what, c := range map[string]struct {
		change func(io.Reader) io.Reader
		want   string
	}{
		"a stream that ends": {func(r io.Reader) io.Reader { return io.LimitReader(r, 20_000) }, "the backup is incomplete"},
		"a connection that ends": {func(r io.Reader) io.Reader {
			return io.MultiReader(io.LimitReader(r, 20_000), iotest.ErrReader(io.ErrUnexpectedEOF))
		}, "the backup is incomplete"},
		"Ctrl-C": {func(r io.Reader) io.Reader {
			return io.MultiReader(io.LimitReader(r, 20_000), iotest.ErrReader(interruptError(interrupt, ctx)))
		}, "stopped by Ctrl-C: no backup was made"},
	} {
		parent := t.TempDir()
		during, status := t.Context(), 1
		if what == "Ctrl-C" {
			during, status = ctx, 130
		}
		got := runCommand(during, nil, "backup", filepath.Join(parent, "new"), "--endpoint",
			startRelay(t, db.DynamoDBURL(), c.change))
		if got.status != status || !strings.HasPrefix(got.stderr, "tabletop: "+c.want) ||
			strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%s: %+v", what, got)
		}
		if left, err := os.ReadDir(parent); err != nil || len(left) > 0 {
			t.Errorf("%s: %v is left, %v", what, left, err)
		}
	}
}

// interruptError interrupts a command and returns the cause as a reader's error.
func interruptError(interrupt context.CancelFunc, ctx context.Context) error {
	interrupt()
	return context.Cause(ctx)
}
