package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/features/catalog"
	"github.com/tabletop-db/tabletop/features/mutants"
)

// patience is how long one proof of one mutant may take. A program that does not end is caught.
const patience = 3 * time.Minute

// errEndless is a proof that does not end in time.
var errEndless = errors.New("it does not end")

// gate builds programs with mistakes and runs their proofs.
type gate struct {
	root, work string
	systems    map[string][]string // the ids of a system's entries that scenarios prove
}

// result is what became of a mutant.
type result struct {
	mutants.Mutant
	Caught string        // by what; empty: by nothing
	By     []string      // the command that failed
	Broken error         // it could not be tried
	Took   time.Duration // to build it and to run its proofs
}

// ok reports whether the gate lets it pass: it is caught, or it is known to survive and does.
func (r result) ok() bool { return r.Broken == nil && (r.Caught == "") == (r.Survives != "") }

func (r result) String() string {
	verdict := "caught by " + r.Caught
	switch {
	case r.Broken != nil:
		verdict = "CANNOT BE TRIED: " + r.Broken.Error()
	case r.Caught == "" && r.Survives != "":
		verdict = "survives, as is known"
	case r.Caught == "":
		verdict = "SURVIVES"
	case r.Survives != "":
		verdict = "IS CAUGHT, though it is listed as surviving, by " + r.Caught
	}
	return fmt.Sprintf("%-44s %-20s %s (%.0f s)", r.ID, r.Breaks, verdict, r.Took.Seconds())
}

func newGate(root, work string) (*gate, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	c, err := catalog.Read()
	if err != nil {
		return nil, err
	}
	g := &gate{root, work, map[string][]string{}}
	for _, e := range c.Entries {
		if system, _, _ := strings.Cut(e.ID, "-"); !e.Kind.ByLoad() {
			g.systems[system] = append(g.systems[system], e.ID)
		}
	}
	return g, nil
}

// proofs are the commands of which one must fail, the most likely first.
func (g *gate) proofs(m mutants.Mutant) [][]string {
	if len(m.Command) > 0 {
		return [][]string{m.Command}
	}
	system, _, _ := strings.Cut(m.Breaks, "-")
	var tags []string
	for _, id := range g.systems[system] {
		tags = append(tags, "@"+id)
	}
	return [][]string{{"features", "--tags", "@" + m.Entry()}, {"features", "--tags", strings.Join(tags, ",")}}
}

// sound runs every proof once without a mistake: one that fails then says nothing of mutants.
func (g *gate) sound(ctx context.Context, all []mutants.Mutant) error {
	binary, err := g.build(ctx, "sound", nil)
	if err != nil {
		return err
	}
	defer os.Remove(binary)
	done := map[string]bool{}
	for _, m := range all {
		proofs := g.proofs(m)
		widest := proofs[len(proofs)-1]
		if name := strings.Join(widest, " "); !done[name] {
			done[name] = true
			caught, err := g.run(ctx, binary, widest)
			if err == nil && caught != "" {
				err = errors.New(caught)
			}
			if err != nil {
				return fmt.Errorf("without any mistake %q fails: %w", name, err)
			}
		}
	}
	return nil
}

// try builds a mutant and runs its proofs until one fails.
func (g *gate) try(ctx context.Context, m mutants.Mutant) (r result) {
	began := time.Now()
	r.Mutant = m
	defer func() { r.Took = time.Since(began) }()
	text, err := m.Apply(g.root)
	if err != nil {
		r.Broken = err
		return r
	}
	overlay, err := g.overlay(m, text)
	if err != nil {
		r.Broken = err
		return r
	}
	binary, err := g.build(ctx, m.ID, []string{"-overlay", overlay})
	if err != nil {
		r.Broken = err
		return r
	}
	defer os.Remove(binary)
	for _, proof := range g.proofs(m) {
		if r.Caught, r.Broken = g.run(ctx, binary, proof); r.Caught != "" || r.Broken != nil {
			r.By = proof
			return r
		}
	}
	return r
}

// overlay writes the file with the mistake, and what tells the compiler to take it in place of the true one.
func (g *gate) overlay(m mutants.Mutant, text string) (string, error) {
	changed := filepath.Join(g.work, m.ID+".go")
	if err := os.WriteFile(changed, []byte(text), 0o600); err != nil {
		return "", err
	}
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(g.root, filepath.FromSlash(m.File)): changed}})
	if err != nil {
		return "", err
	}
	path := filepath.Join(g.work, m.ID+".json")
	return path, os.WriteFile(path, replace, 0o600)
}

func (g *gate) build(ctx context.Context, name string, more []string) (string, error) {
	binary := filepath.Join(g.work, name+".bin")
	build := exec.CommandContext(ctx, "go", append(append([]string{"build", "-trimpath", "-ldflags=-s -w", "-o", binary}, more...), ".")...)
	build.Dir = g.root
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("it does not build: %s", strings.TrimSpace(string(out)))
	}
	return binary, nil
}

// failed finds the first proof that failed in what a command printed.
var failed = regexp.MustCompile(`(?m)^(?:FAILED\s+\[[^\]]*\]\s+(.*)|.*\b(?:MISSED|missed|WRONG)\b.*)$`)

// run runs a proof, and returns what of it failed; empty: nothing did.
func (g *gate) run(ctx context.Context, binary string, proof []string) (caught string, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errEndless)
	defer cancel()
	reports, err := os.MkdirTemp(g.work, "reports")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(reports)
	command := exec.CommandContext(ctx, binary, append(proof, "--report", reports)...)
	command.Dir = reports
	out, err := command.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return "", nil
	case errors.Is(context.Cause(ctx), errEndless):
		return fmt.Sprintf("not ending within %v", patience), nil
	case ctx.Err() != nil || !errors.As(err, &exit):
		return "", errors.Join(ctx.Err(), err)
	case exit.ExitCode() == 2:
		return "", fmt.Errorf("%v cannot be run: %s", proof, out)
	}
	m := failed.FindStringSubmatch(string(out))
	switch {
	case m == nil:
		return "the command's failure: " + lastLine(string(out)), nil
	case m[1] != "":
		return "the scenario “" + strings.TrimSpace(m[1]) + "”", nil
	}
	return "the verdict “" + strings.Join(strings.Fields(m[0]), " ") + "”", nil
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}
