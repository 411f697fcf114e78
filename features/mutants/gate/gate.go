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
	"slices"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/features/catalog"
	"github.com/tabletop-db/tabletop/features/mutants"
)

// The time limit for one test of one mutant is at least minTimeout, and slowest times as long as the slowest test takes
// without a mutant, because other programs may use the machine. Without a mutant it is maxTimeout.
const (
	minTimeout = 3 * time.Minute
	maxTimeout = 30 * time.Minute
	slowest    = 5
)

// errTimeout is the error of a test that exceeds its time limit.
var errTimeout = errors.New("it does not end")

// gate builds programs with mutants and tests them.
type gate struct {
	root, work string
	compile    []string            // arguments of go that build a program
	folder     string              // of the program
	systems    map[string][]string // by system: ids of the catalogue entries that scenarios prove
	timeout    time.Duration       // of one test; a program that exceeds it counts as caught
}

// result is the result of testing a mutant.
type result struct {
	mutants.Mutant
	Caught string        // what caught it; empty: nothing
	Proof  []string      // the command that failed
	Err    error         // it could not be tested
	Took   time.Duration // time to build it and to run its tests
}

// note returns a note if the mutant was not caught by a scenario of what it breaks but by another one of its entry
// or its system.
func (r result) note() string {
	if len(r.Command) > 0 || len(r.Proof) == 0 || slices.Contains(r.Proof, "@"+r.Breaks) {
		return ""
	}
	return ", none of its own"
}

// passed reports whether the gate passes the mutant: it is caught, or it is known to survive and does.
func (r result) passed() bool { return r.Err == nil && (r.Caught == "") == (r.Survives != "") }

func (r result) String() string {
	verdict := "caught by " + r.Caught + r.note()
	switch {
	case r.Err != nil:
		verdict = "CANNOT BE TRIED: " + r.Err.Error()
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
	g := &gate{root: root, work: work, compile: []string{"build", "-trimpath", "-ldflags=-s -w"}, folder: ".",
		systems: map[string][]string{}, timeout: maxTimeout}
	for _, e := range c.Entries {
		if system, _, _ := strings.Cut(e.ID, "-"); !e.Kind.ByLoad() {
			g.systems[system] = append(g.systems[system], e.ID)
		}
	}
	return g, nil
}

// proofsOf returns the commands of which one must fail, most likely first.
func (g *gate) proofsOf(m mutants.Mutant) [][]string {
	if len(m.Command) > 0 {
		return [][]string{m.Command}
	}
	system, _, _ := strings.Cut(m.Breaks, "-")
	var tags []string
	for _, id := range g.systems[system] {
		tags = append(tags, "@"+id)
	}
	proofs := [][]string{{"features", "--tags", "@" + m.Breaks}}
	if m.Entry() != m.Breaks {
		proofs = append(proofs, []string{"features", "--tags", "@" + m.Entry()})
	}
	return append(proofs, []string{"features", "--tags", strings.Join(tags, " or ")})
}

// programs are the built programs: the original, and the program that contains each mutant, unless the mutant needs its
// own.
type programs struct {
	original string
	byMutant map[string]string // by mutant
}

// buildAll builds the mutants into as few programs as possible: one for all, plus one for each mutant that cannot be
// part of it.
func (g *gate) buildAll(ctx context.Context, all []mutants.Mutant) (programs, error) {
	replace, separate, err := g.combine(all)
	if err != nil {
		return programs{}, err
	}
	binary, err := g.build(ctx, combinedName, replace)
	// build those that do not compile alone, so that the others can continue
	if broken := g.brokenFiles(err); len(broken) > 0 {
		separate = append(separate, slices.DeleteFunc(slices.Clone(all), func(m mutants.Mutant) bool {
			return !broken[m.File]
		})...)
		for file := range broken {
			delete(replace, filepath.Join(g.root, filepath.FromSlash(file)))
		}
		binary, err = g.build(ctx, combinedName, replace)
	}
	if err != nil {
		return programs{}, err
	}
	p := programs{binary, map[string]string{}}
	for _, m := range all {
		p.byMutant[m.ID] = binary
	}
	for _, m := range separate {
		delete(p.byMutant, m.ID)
	}
	fmt.Printf("%d mutants in one program, %d in programs of their own\n", len(p.byMutant), len(all)-len(p.byMutant))
	return p, nil
}

// brokenFiles returns the files of the combined program that the compiler's errors name.
func (g *gate) brokenFiles(err error) map[string]bool {
	if err == nil {
		return nil
	}
	broken := map[string]bool{}
	named := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(filepath.Join(g.work, combinedName)) + `/(\S+?\.go):`)
	for _, m := range named.FindAllStringSubmatch(err.Error(), -1) {
		broken[m[1]] = true
	}
	return broken
}

// checkWithoutMutants runs every test once without a mutant: a test that fails then says nothing about mutants. It sets
// the time limit of the tests of mutants.
func (g *gate) checkWithoutMutants(ctx context.Context, binary string, all []mutants.Mutant) error {
	done := map[string]bool{}
	limit := minTimeout
	for _, m := range all {
		proofs := g.proofsOf(m)
		widest := proofs[len(proofs)-1]
		if name := strings.Join(widest, " "); !done[name] {
			done[name] = true
			began := time.Now()
			caught, err := g.run(ctx, binary, "", widest)
			limit = max(limit, slowest*time.Since(began))
			if err == nil && caught != "" {
				err = errors.New(caught)
			}
			if err != nil {
				return fmt.Errorf("without any mistake %q fails: %w", name, err)
			}
		}
	}
	g.timeout = limit
	return nil
}

// test runs the tests of a mutant until one fails, and repeats that one until it has failed the given number of times.
// If binary is empty, it builds a program for the mutant.
func (g *gate) test(ctx context.Context, m mutants.Mutant, binary string, times int) (r result) {
	began := time.Now()
	r.Mutant = m
	defer func() { r.Took = time.Since(began) }()
	if binary == "" {
		if binary, r.Err = g.buildAlone(ctx, m); r.Err != nil {
			return r
		}
		defer os.Remove(binary)
	}
	for _, proof := range g.proofsOf(m) {
		if r.Caught, r.Err = g.run(ctx, binary, m.ID, proof); r.Caught != "" || r.Err != nil {
			r.Proof = proof
			break
		}
	}
	for n := 1; n < times && r.Caught != "" && r.Err == nil; n++ {
		caught, err := g.run(ctx, binary, m.ID, r.Proof)
		if r.Err = err; err == nil && caught == "" {
			r.Err = fmt.Errorf("it is caught by %s %d times, and not the next time", r.Caught, n)
		}
	}
	return r
}

// buildAlone builds a program with only this mutant.
func (g *gate) buildAlone(ctx context.Context, m mutants.Mutant) (binary string, err error) {
	text, err := m.Apply(g.root)
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	if err := g.addReplacement(replace, m.ID, m.File, []byte(text)); err != nil {
		return "", err
	}
	return g.build(ctx, m.ID, replace)
}

// addReplacement writes text to a file that the compiler uses instead of the original.
func (g *gate) addReplacement(replace map[string]string, program, file string, text []byte) error {
	path := filepath.Join(g.work, program, filepath.FromSlash(file))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	replace[filepath.Join(g.root, filepath.FromSlash(file))] = path
	return os.WriteFile(path, text, 0o600)
}

// build builds a program. replace maps files of the repository to their replacements.
func (g *gate) build(ctx context.Context, program string, replace map[string]string) (binary string, err error) {
	binary = filepath.Join(g.work, program+".bin")
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	if err != nil {
		return "", err
	}
	path := filepath.Join(g.work, program+".json")
	if err := os.WriteFile(path, overlay, 0o600); err != nil {
		return "", err
	}
	build := exec.CommandContext(ctx, "go", append(slices.Clone(g.compile), "-overlay", path, "-o", binary, g.folder)...)
	build.Dir = g.root
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("it does not build: %s", strings.TrimSpace(string(out)))
	}
	return binary, nil
}

// failed matches the first failure in a command's output.
var failed = regexp.MustCompile(`(?m)^(?:FAIL\s+\S+\.feature:\d+\s+(.*)|.*\b(?:FAIL|missed|WRONG)\b.*)$`)

// run runs one test of a mutant and returns what failed, or "" if nothing did.
func (g *gate) run(ctx context.Context, binary, mutant string, proof []string) (caught string, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, g.timeout, errTimeout)
	defer cancel()
	reports, err := os.MkdirTemp(g.work, "reports")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(reports)
	command := exec.CommandContext(ctx, binary, withReportFolder(proof, reports)...)
	command.Dir = reports
	command.Env = append(os.Environ(), mutantVariable+"="+mutant)
	out, err := command.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return "", nil
	case errors.Is(context.Cause(ctx), errTimeout):
		return fmt.Sprintf("not ending within %v", g.timeout), nil
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

// withReportFolder adds a report folder to a command that writes a report; `tabletop up` does not.
func withReportFolder(proof []string, folder string) []string {
	if proof[0] == "up" {
		return proof
	}
	return append(slices.Clone(proof), "--report", folder)
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}
