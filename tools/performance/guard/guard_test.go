package guard

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// clone is a repository for a test.
type clone struct {
	*testing.T
	folder string
}

func (c clone) git(args ...string) string {
	c.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = c.folder
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
	out, err := cmd.CombinedOutput()
	if err != nil {
		c.Fatalf("git %v: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// commit writes a file, commits it, and returns the commit.
func (c clone) commit(name, text string) string {
	c.Helper()
	file := filepath.Join(c.folder, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		c.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		c.Fatal(err)
	}
	c.git("add", ".")
	c.git("commit", "-q", "-m", text)
	return c.git("rev-parse", "HEAD")
}

func (c clone) wantBase(named, want string) {
	c.Helper()
	if base, err := FindBase(c.folder, named); err != nil || base.Commit != want {
		c.Errorf("base %v, %v, not %s", base, err, want)
	}
}

func (c clone) wantError(named, want string) {
	c.Helper()
	if base, err := FindBase(c.folder, named); err == nil || !strings.Contains(err.Error(), want) {
		c.Errorf("base %v, error %v, which does not contain %q", base, err, want)
	}
}

func TestFindBase(t *testing.T) {
	t.Parallel()
	c := clone{t, t.TempDir()}
	c.wantError("", "needs a clone with its history")
	c.git("init", "-q", "-b", "main")
	first := c.commit("a", "first")
	c.wantError("", "has no figures to compare with")
	c.wantError("v9", `"v9" is no commit of this clone`)
	measured := c.commit(page, "| commit | abc |\n")
	c.wantBase("", measured)
	c.commit("a", "a faster emulator")
	c.wantBase("", measured)
	main := c.commit(page, "| commit | abc |\n\nThe same figures, explained.\n")
	c.wantBase("", measured)
	c.wantBase(first[:8], first)
	c.git("checkout", "-q", "-b", "branch")
	c.commit("a", "a slower emulator")
	c.wantBase("", main)
	copied := clone{t, filepath.Join(t.TempDir(), "shallow")}
	c.git("clone", "-q", "--depth", "1", "file://"+c.folder, copied.folder)
	copied.wantError("", "git fetch --unshallow")
	copied.wantBase("HEAD", copied.git("rev-parse", "HEAD"))
}

func TestCheckout(t *testing.T) {
	t.Parallel()
	c := clone{t, t.TempDir()}
	c.git("init", "-q", "-b", "main")
	first := c.commit("folder/a", "before")
	c.commit("folder/a", "after")
	copied, err := repository(c.folder).checkout(first, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(string(copied), "folder", "a"))
	if err != nil || string(text) != "before" {
		t.Errorf("the copy has %q, %v", text, err)
	}
}

// TestRatio checks that rounds in which one emulator was disturbed do not decide, and that a loss in all of them does.
func TestRatio(t *testing.T) {
	t.Parallel()
	c := comparison{}
	for range 8 {
		c.base, c.head = append(c.base, 100*time.Microsecond), append(c.head, 120*time.Microsecond)
	}
	if got := c.ratio(); math.Abs(got-1.2) > 1e-9 {
		t.Errorf("ratio %g, not 1.2", got)
	}
	c.head[3], c.base[5] = time.Second, time.Second
	if got := c.ratio(); math.Abs(got-1.2) > 1e-9 {
		t.Errorf("with two disturbed rounds: ratio %g, not 1.2", got)
	}
}

// TestNothingComparedIsAnError checks that the guard passes only if it compared something.
func TestNothingComparedIsAnError(t *testing.T) {
	t.Parallel()
	compared, broken := &comparison{}, &comparison{broken: "status 400"}
	for name, test := range map[string]struct {
		results []*comparison
		want    string
	}{
		"all":     {[]*comparison{compared}, ""},
		"some":    {[]*comparison{broken, compared}, ""},
		"broken":  {[]*comparison{broken, broken}, "nothing was compared"},
		"nothing": {nil, "nothing was compared"},
	} {
		var s summary
		s.add(test.results)
		if err := s.err(); (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if s := (summary{compared: 1, failures: []string{"get: slower"}}); s.err() == nil {
		t.Error("a slower workload passes")
	}
	if err := Run(Options{Limit: 0.15}); err == nil || !strings.Contains(err.Error(), "-rounds 0") {
		t.Errorf("without rounds: %v", err)
	}
}
