package features_test

import (
	"context"
	"html"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/cosmosclient"
	"github.com/tabletop-db/tabletop/simulators/pushgateway"
)

// TestCommandsOfTheDocsPagesWork runs the commands of each system's /docs page in a shell, as a reader would, on the
// backends that `tabletop up` runs. The reader provides only the admin token. A response of 400 or more fails.
func TestCommandsOfTheDocsPagesWork(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"bash", "curl", "sed"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("the commands need %s", tool)
		}
	}
	gateway := httptest.NewServer(pushgateway.New(pushgateway.Config{}))
	t.Cleanup(gateway.Close)
	url := serveAll(t, gateway.URL)
	// The shell's clock is the machine's, but the tests' may be ahead: the reading would be older than it is kept.
	replace := strings.NewReplacer("=…", "=admin", "http://127.0.0.1:8090", gateway.URL, "$(date +%s)",
		strconv.FormatInt(time.Now().Unix(), 10))
	for _, name := range backend.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, commands := range commandsOf(t, url+"/"+name+"/docs") {
				runCommands(t, replace.Replace(commands))
			}
		})
	}
}

// serveAll serves every system on an emulator of its own and returns the address.
func serveAll(t *testing.T, pushURL string) string {
	t.Helper()
	e := emulator.Run(t)
	cosmos, err := cosmosclient.New(e, nil)
	if err != nil {
		t.Fatal(err)
	}
	server, err := backend.New(backend.Config{AWS: e.AWSConfig(), Cosmos: cosmos, AdminToken: "admin", Pepper: "pepper",
		PushURL: pushURL, Now: e.Now})
	if err != nil {
		t.Fatal(err)
	}
	if err := server.CreateTables(t.Context()); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx, listener) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return "http://" + listener.Addr().String()
}

var commandBlock = regexp.MustCompile(`(?s)<pre tabindex="0"><code>(.*?)</code></pre>`)

// commandsOf returns the blocks of commands of a page, at least one.
func commandsOf(t *testing.T, page string) []string {
	t.Helper()
	res, err := http.Get(page)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	start, _, _ := strings.Cut(string(text), "</section>")
	var all []string
	for _, block := range commandBlock.FindAllStringSubmatch(start, -1) {
		all = append(all, html.UnescapeString(block[1]))
	}
	if len(all) == 0 {
		t.Fatalf("%s has no commands:\n%.2000s", page, text)
	}
	return all
}

// checkedCurl records what fails, also in a pipe, and an unset variable ends the shell.
const checkedCurl = `set -u
curl() { command curl -sS --fail-with-body "$@" || { echo "curl $*" >> failed; return 1; }; }
`

func runCommands(t *testing.T, commands string) {
	t.Helper()
	dir := t.TempDir()
	shell := exec.CommandContext(t.Context(), "bash", "-c", checkedCurl+commands)
	shell.Dir = dir
	out, err := shell.CombinedOutput()
	failed, _ := os.ReadFile(filepath.Join(dir, "failed"))
	if err != nil || len(failed) > 0 {
		t.Errorf("%v\nfailed: %s\n%s", err, failed, out)
	}
}
