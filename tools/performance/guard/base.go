package guard

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// page is the page with the published figures, and measuredLine matches its line with their commit.
const (
	page         = "docs/performance.md"
	measuredLine = `^\| commit `
)

// BaseVariable is the environment variable that names the commit to compare with.
const BaseVariable = "PERFORMANCE_BASE"

// Base is the commit to compare with.
type Base struct {
	Commit string
	Reason string // why this one
}

// repository is a folder with a clone.
type repository string

// FindBase returns the commit to compare the working tree with: the named one, if there is one; else the merge base
// with the main branch; else, on the main branch itself, the commit whose figures the documentation has, so that many
// small losses count as one. Errors: a clone without history.
func FindBase(folder, named string) (Base, error) {
	r := repository(folder)
	if named != "" {
		commit, err := r.git("rev-parse", "--verify", "--quiet", named+"^{commit}")
		if err != nil {
			return Base{}, fmt.Errorf("%q is no commit of this clone; fetch it, or name another by %s", named, BaseVariable)
		}
		return Base{commit, "named by " + BaseVariable + " or -base"}, nil
	}
	head, err := r.git("rev-parse", "HEAD")
	if err != nil {
		return Base{}, fmt.Errorf("comparing needs a clone with its history: %w", err)
	}
	if shallow, err := r.git("rev-parse", "--is-shallow-repository"); err != nil || shallow == "true" {
		return Base{}, errors.New("this clone is shallow and has no commit to compare with; run: git fetch --unshallow")
	}
	for _, branch := range []string{"origin/main", "main"} {
		if commit, err := r.git("merge-base", branch, "HEAD"); err == nil && commit != head {
			return Base{commit, "the merge base with " + branch}, nil
		}
	}
	commit, err := r.git("log", "-1", "--format=%H", "-G", measuredLine, "--", page)
	if err != nil || commit == "" {
		return Base{}, fmt.Errorf("%s has no figures to compare with; name a commit by %s", page, BaseVariable)
	}
	return Base{commit, "the commit of the figures in " + page}, nil
}

// git runs git and returns the first line of its output.
func (r repository) git(args ...string) (string, error) {
	cmd := exec.Command("git", append([]string{"-C", string(r)}, args...)...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(stderr.String()))
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return line, nil
}

// describe returns a commit's short name and its subject.
func (r repository) describe(commit string) string {
	text, err := r.git("log", "-1", "--format=%h %cs %s", commit)
	if err != nil {
		return commit
	}
	return text
}

// build builds the emulator of the working tree, with the flags of the Makefile, for which Go has compiled most
// packages already. The copy of a commit is no clone, so that version control has no information about it.
func (r repository) build(binary string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-gcflags=all=-dwarf=false", "-ldflags=-s -w", "-buildvcs=false",
		"-o", binary, "./cmd/tabletop-emulator")
	cmd.Dir = string(r)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build the emulator in %s: %w: %s", r, err, out)
	}
	return nil
}
