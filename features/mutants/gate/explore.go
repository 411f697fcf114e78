package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/features/mutants"
	"github.com/tabletop-db/tabletop/internal/explore"
)

const (
	exploreTime  = 2 * time.Minute  // in which Explore must find a mutant
	exploreLimit = 30 * time.Second // beyond it, for the start of the workers and the shrinking of the finding
	mostMishaps  = 2                // of a finding
)

// backends are the folders of the systems by the first part of their requirements' ids.
var backends = map[string]string{"PE": "devicetoken", "KF": "kefir", "NT": "notification", "TL": "telemetry",
	"VR": "verification"}

// exploreAll explores each mutant and reports what was found.
func (g *gate) exploreAll(ctx context.Context, out string, chosen []mutants.Mutant) error {
	bySystem := map[string][]mutants.Mutant{}
	for _, m := range chosen {
		system, _, _ := strings.Cut(m.Breaks, "-")
		if backends[system] == "" {
			return fmt.Errorf("%s breaks %s, which is not a requirement of a backend", m.ID, m.Breaks)
		}
		bySystem[system] = append(bySystem[system], m)
	}
	var all []exploration
	for _, system := range []string{"PE", "KF", "NT", "TL", "VR"} {
		if of := bySystem[system]; len(of) > 0 {
			found, err := g.exploreSystem(ctx, backends[system], of)
			if err != nil {
				return err
			}
			all = append(all, found...)
		}
	}
	return writeExplorations(out, all)
}

// exploreSystem explores the mutants of one backend. Its TestExplore must pass without a mutant.
func (g *gate) exploreSystem(ctx context.Context, name string, of []mutants.Mutant) ([]exploration, error) {
	g.compile, g.folder = []string{"test", "-c", "-trimpath", "-ldflags=-s -w"}, "./backend/"+name
	programs, err := g.buildAll(ctx, of)
	if err != nil {
		return nil, err
	}
	t := exploredTest{binary: programs.original, folder: filepath.Join(g.root, "backend", name)}
	if out, err := t.run(ctx, nil); err != nil {
		return nil, fmt.Errorf("without any mistake the TestExplore of %s fails: %w\n%s", name, err, out)
	}
	var all []exploration
	for _, m := range of {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		e := g.explore(ctx, t, m, programs.byMutant[m.ID])
		fmt.Println(e)
		all = append(all, e)
	}
	return all, nil
}

// exploration is the result of exploring a mutant.
type exploration struct {
	mutants.Mutant
	Plan explore.Plan // that breaks it; nil: nothing was found
	Err  error        // it proves nothing
	Took time.Duration
}

// passed reports whether the gate passes the mutant: it is found, or is known to be hidden and was not found.
func (e exploration) passed() bool { return e.Err == nil && (e.Plan == nil) == (e.Hidden != "") }

func (e exploration) verdict() string {
	switch {
	case e.Err != nil:
		return "PROVES NOTHING: " + e.Err.Error()
	case e.Plan == nil && e.Hidden != "":
		return "not found, as is known"
	case e.Plan == nil:
		return "NOT FOUND"
	case e.Hidden != "":
		return "IS FOUND, though it is listed as hidden: " + e.Plan.Text()
	}
	return "found: " + e.Plan.Text()
}

func (e exploration) String() string {
	return fmt.Sprintf("%-44s %-20s %s (%.1f s)", e.ID, e.Breaks, e.verdict(), e.Took.Seconds())
}

// explore explores a mutant. If binary is empty, it builds a program for it. What was found must break the mutant when
// it is run alone, must not break the program without a mutant, and must be small.
func (g *gate) explore(ctx context.Context, original exploredTest, m mutants.Mutant, binary string) (e exploration) {
	e.Mutant = m
	if binary == "" {
		if binary, e.Err = g.buildAlone(ctx, m); e.Err != nil {
			return e
		}
		defer os.Remove(binary)
	}
	began := time.Now()
	mutant := exploredTest{binary, original.folder, m.ID}
	e.Plan, e.Err = mutant.search(ctx)
	e.Took = time.Since(began)
	if e.Err != nil || e.Plan == nil {
		return e
	}
	if e.Took > exploreTime {
		e.Err = fmt.Errorf("it took longer than %v", exploreTime)
	} else if len(e.Plan) > mostMishaps {
		e.Err = fmt.Errorf("it takes %d mishaps: %s", len(e.Plan), e.Plan.Text())
	} else if out, err := original.run(ctx, e.Plan); err != nil {
		e.Err = fmt.Errorf("%s also breaks the program without it: %w\n%s", e.Plan.Text(), err, out)
	} else if _, err := mutant.run(ctx, e.Plan); err == nil {
		e.Err = fmt.Errorf("%s does not break it again", e.Plan.Text())
	}
	return e
}

// exploredTest is the TestExplore of a backend with a mutant, or without if that is empty.
type exploredTest struct{ binary, folder, mutant string }

func (t exploredTest) command(ctx context.Context, variables ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, t.binary, "-test.run=^TestExplore$", "-test.v", "-test.timeout=0")
	c.Dir, c.Env = t.folder, append(append(os.Environ(), mutantVariable+"="+t.mutant), variables...)
	return c
}

// run runs the test once with a plan; without one as the tests of the backend do. An error means that it failed.
func (t exploredTest) run(ctx context.Context, p explore.Plan) (out string, err error) {
	ctx, cancel := context.WithTimeout(ctx, exploreTime+exploreLimit)
	defer cancel()
	var variables []string
	if p != nil {
		variables = []string{emulator.PlanVariable + "=" + p.Text()}
	}
	text, err := t.command(ctx, variables...).CombinedOutput()
	return string(text), err
}

// search returns the first plan that breaks the test. nil: none was found in time. Errors: the test fails without
// mishaps.
func (t exploredTest) search(ctx context.Context) (explore.Plan, error) {
	ctx, cancel := context.WithTimeout(ctx, exploreTime+exploreLimit)
	defer cancel()
	c := t.command(ctx, emulator.ExploreForVariable+"="+exploreTime.String(), emulator.ExploreFindingsVariable+"=1")
	r, w := io.Pipe()
	c.Stdout, c.Stderr = w, w
	if err := c.Start(); err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait(); _ = w.Close() }()
	plan, lines := reproduced(r)
	_, _ = io.Copy(io.Discard, r)
	switch err := <-ended; {
	case plan != nil:
		return plan, nil
	case ctx.Err() != nil:
		return nil, errTimeout
	case err != nil:
		return nil, errors.New("the test fails without a finding: " + strings.Join(lines, " "))
	}
	return nil, nil
}

var reproduce = regexp.MustCompile(`Reproduce: ` + emulator.PlanVariable + `='([^']*)'`)

// reproduced returns the first plan in a test's output, and the last lines before it.
func reproduced(out io.Reader) (explore.Plan, []string) {
	var last []string
	in := bufio.NewScanner(out)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		if m := reproduce.FindStringSubmatch(in.Text()); m != nil {
			if p, err := explore.ParsePlan(m[1]); err == nil {
				return p, last
			}
		}
		last = append(last, strings.TrimSpace(in.Text()))
		last = last[max(0, len(last)-20):]
	}
	return nil, last
}

// writeExplorations writes the report. Errors: a mutant that does not pass.
func writeExplorations(out string, all []exploration) error {
	var b strings.Builder
	found, bad := 0, []string(nil)
	for _, e := range all {
		if e.Plan != nil && e.passed() {
			found++
		} else if !e.passed() {
			bad = append(bad, e.ID)
		}
	}
	fmt.Fprintf(&b, "# Explored mutants\n\n%d of %d mistakes are found by exploring the backends' tests.\n\n", found, len(all))
	b.WriteString("| mutant | breaks | what it does wrong | result | seconds |\n|---|---|---|---|---|\n")
	for _, e := range all {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %.1f |\n", e.ID, e.Breaks, cell(e.Says), cell(e.verdict()), e.Took.Seconds())
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	path := filepath.Join(out, "explored.md")
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		return err
	}
	fmt.Printf("%d of %d found: %s\n", found, len(all), path)
	if slices.Sort(bad); len(bad) > 0 {
		return fmt.Errorf("these are not found, or prove nothing: %s", strings.Join(bad, ", "))
	}
	return nil
}
