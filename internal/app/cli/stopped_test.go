package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
)

// stopAfter is a stream that stops the command that writes to it when a text is written.
type stopAfter struct {
	bytes.Buffer
	text string
	stop func()
}

func (s *stopAfter) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte(s.text)) {
		s.stop()
	}
	return s.Buffer.Write(p)
}

// TestStoppedFeatures stops a run after its second scenario.
func TestStoppedFeatures(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	dir := t.TempDir()
	stderr := &stopAfter{text: `"done":2,`, stop: stop}
	status := Main(ctx, command.Process{Args: []string{"features", "--tags", "@TL-P3", "--concurrency", "1", "--progress",
		"json", "--report", dir}, Env: lookup(nil), Stdout: stderr, Stderr: stderr})
	lines := strings.Split(strings.TrimSpace(stderr.String()), "\n")
	last := lines[len(lines)-1]
	var total int
	_, err := fmt.Sscanf(last, "tabletop: stopped by Ctrl-C after 2 of %d scenarios, 0 failed: no report was written", &total)
	if status != 130 || err != nil || total <= 2 || len(lines) != 3 {
		t.Errorf("%d: %v, %s", status, err, stderr)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
}

// silentInput is an input that stops the command that reads it, and never has data.
type silentInput struct{ stop func() }

func (s silentInput) Read([]byte) (int, error) {
	s.stop()
	select {}
}

// TestStoppedImport stops an import that waits for standard input. It creates no table.
func TestStoppedImport(t *testing.T) {
	t.Parallel()
	db := emulator.Run(t)
	ctx, stop := context.WithCancel(t.Context())
	root := Root()
	root.SetIn(silentInput{stop})
	var out bytes.Buffer
	status := command.Main(ctx, command.Process{Args: []string{"import", "-", "--table", "orders", "--create", "--key",
		"id", "--target", "url=" + db.DynamoDBURL()}, Env: lookup(nil), Stdout: &out, Stderr: &out}, root)
	const want = "tabletop: stopped by Ctrl-C while reading standard input: written: 0 items\n"
	if status != 130 || out.String() != want {
		t.Errorf("%d: %s\nwant %s", status, &out, want)
	}
	got := runCommand(t.Context(), nil, "query", "--table", "orders", "--target", "url="+db.DynamoDBURL())
	if got.status != 2 || !strings.Contains(got.stderr, `table "orders" does not exist`) {
		t.Errorf("the table: %+v", got)
	}
}

// TestStoppedCommands stops commands that wait for a server, and a command that waits for data of a pipe.
func TestStoppedCommands(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"health --endpoint URL", "heat --endpoint URL", "clock advance 1h --endpoint URL", "cost --endpoint URL",
		"features --target url=URL", "query --table orders --target url=URL", "seed kefir --target url=URL",
		"export --table orders --target url=URL", "import FILE --table orders --target url=URL",
		"job cleanup --target url=URL", "simulate fleet --backend URL --api-key k --devices 1",
		"policy suggest --recording PIPE", "replay PIPE",
	} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body) // the context ends with the connection only after that
				stop()
				<-r.Context().Done()
			}))
			t.Cleanup(server.Close)
			pipe := ""
			if strings.Contains(line, "PIPE") {
				pipe = silentPipe(t)
				stop()
			}
			args := strings.NewReplacer("URL", server.URL, "FILE", writeFile(t, "a.jsonl", `{"id":"1"}`), "PIPE", pipe).
				Replace(line)
			got := runCommand(ctx, nil, strings.Fields(args)...)
			if got.status != 130 || !strings.HasPrefix(got.stderr, "tabletop: stopped by Ctrl-C ") ||
				strings.Count(got.stderr, "\n") != 1 || strings.Contains(got.stderr, "cannot reach") {
				t.Errorf("%+v", got)
			}
		})
	}
}

// silentPipe returns the name of a pipe that stays open and has no data.
func silentPipe(t *testing.T) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("pipes have no names in the file system")
	}
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		_ = out.Close()
	})
	return fmt.Sprintf("/dev/fd/%d", in.Fd())
}
