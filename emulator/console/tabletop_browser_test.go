//go:build browser

package console_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"testing"
)

// program builds the program tabletop once for all tests and returns its file.
var program = sync.OnceValues(func() (string, error) {
	folder, err := ofTests()
	if err != nil {
		return "", err
	}
	file := filepath.Join(folder, "tabletop")
	build := exec.Command("go", "build", "-o", file, "../..")
	build.Stderr = os.Stderr
	return file, build.Run()
})

// openTabletop runs a command of tabletop with an emulator, in a folder of its own and on ports that the system picks,
// and opens a page of its console.
func openTabletop(t *testing.T, path string, args ...string) *browser {
	t.Helper()
	file, err := program()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), file, args...)
	cmd.Dir, cmd.Stderr = t.TempDir(), os.Stderr
	cmd.Env = append(os.Environ(), "TABLETOP_DYNAMODB_ADDR=127.0.0.1:0", "TABLETOP_COSMOS_ADDR=127.0.0.1:0",
		"TABLETOP_BACKEND_ADDR=127.0.0.1:0", "TABLETOP_PUSH_ADDR=127.0.0.1:0")
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Wait() }) // it was interrupted
	address := regexp.MustCompile(`Console +(http://[0-9.:]+)/`)
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if found := address.FindStringSubmatch(lines.Text()); found != nil {
			go discard(lines)
			return openURL(t, found[1], path)
		}
	}
	t.Fatalf("tabletop %v ended before it printed the console's address", args)
	return nil
}

// discard reads the rest of an output.
func discard(lines *bufio.Scanner) {
	for lines.Scan() {
	}
}

// checkLooks checks the page in both themes and at two widths.
func (b *browser) checkLooks(name string) {
	b.t.Helper()
	for _, theme := range []string{"dark", "light"} {
		for _, width := range []int64{390, 1280} {
			b.look(width, theme)
			b.check(fmt.Sprintf("%s, %s, %d px", name, theme, width))
		}
	}
}
