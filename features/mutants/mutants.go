// Package mutants lists small, realistic mistakes in the backends, their jobs and workers, the load generator and the
// simulators. The gate builds and tests each of them, because a test that no mistake can fail proves nothing. `make
// mutants` runs them all.
//
// Explored lists mistakes that no request notices as long as the database answers each. The gate's -explore shows that
// emulator.Explore finds them.
package mutants

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Mutant is one mistake: a change to the source that makes the program break a requirement.
type Mutant struct {
	ID     string `yaml:"id"`     // unique id, such as reminder-not-retried
	Breaks string `yaml:"breaks"` // clause in the catalogue, such as KF-R5.retry, or the entry if it has no clauses
	Kind   string `yaml:"kind"`   // the kind of mistake: see Kinds
	Says   string `yaml:"says"`   // what the program does wrong, in one sentence
	File   string `yaml:"file"`   // path from the root of the repository
	Edits  []Edit `yaml:"edits"`
	// Command is the command that must fail, as arguments of tabletop. Default: the scenarios of the entry, and then
	// those of its system.
	Command []string `yaml:"command"`
	// Survives is the reason why no test has to catch it. Empty: one must.
	Survives string `yaml:"survives"`
	// Explored means that emulator.Explore must find it too: see Explored.
	Explored bool `yaml:"explored"`
	// Hidden is the reason why exploring does not find an explored mutant. Empty: it must.
	Hidden string `yaml:"hidden"`
}

// Edit is one change to a file. From must occur in it exactly once.
type Edit struct {
	From string `yaml:"from"`
	To   string `yaml:"to"`
}

// Kinds are the kinds of mistakes.
var Kinds = []string{
	"condition dropped", "index", "direction", "limit", "consistency", "page ignored", "filter dropped", "retry dropped",
	"retry endless",
	"back-off", "idempotency", "ETag ignored", "time", "lifetime", "guard ignored", "audit", "seal", "cap", "order",
	"access", "validation",
	"concurrency", "projection", "shape", "measure",
}

// Entry returns the id of the catalogue entry that the mutant breaks.
func (m Mutant) Entry() string {
	entry, _, _ := strings.Cut(m.Breaks, ".")
	return entry
}

//go:embed *.yaml explored/*.yaml
var files embed.FS

// Read returns the mutants that scenarios, load profiles and simulators must catch, ordered by file name and by the
// position in each file. An unknown field is an error.
func Read() ([]Mutant, error) { return read("*.yaml") }

// Explored returns the mutants that the TestExplore of their backend must find, although it passes as long as nothing
// happens to its requests: those of Read that are marked, and those of the folder explored, which no scenario has to
// catch.
func Explored() ([]Mutant, error) {
	all, err := Read()
	if err != nil {
		return nil, err
	}
	more, err := read("explored/*.yaml")
	all = slices.DeleteFunc(all, func(m Mutant) bool { return !m.Explored })
	return append(all, more...), err
}

func read(pattern string) ([]Mutant, error) {
	names, err := fs.Glob(files, pattern)
	if err != nil {
		return nil, err
	}
	var all []Mutant
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var part []Mutant
		in := yaml.NewDecoder(bytes.NewReader(text))
		in.KnownFields(true)
		if err := in.Decode(&part); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, part...)
	}
	return all, nil
}

// Apply returns the mutant's file with its mistake. Errors: the source has changed since the mutant was written.
func (m Mutant) Apply(root string) (string, error) {
	source, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(m.File)))
	if err != nil {
		return "", fmt.Errorf("%s: %w", m.ID, err)
	}
	text := string(source)
	var errs []error
	for i, e := range m.Edits {
		switch n := strings.Count(text, e.From); {
		case e.From == "" || e.From == e.To:
			errs = append(errs, fmt.Errorf("%s: edit %d changes nothing", m.ID, i+1))
		case n != 1:
			errs = append(errs, fmt.Errorf("%s: %s has the text of edit %d %d times, not once: %s", m.ID, m.File, i+1, n,
				firstLine(e.From)))
		}
		text = strings.Replace(text, e.From, e.To, 1)
	}
	return text, errors.Join(errs...)
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return cmp.Or(line, "nothing")
}
