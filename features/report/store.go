package report

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
	"github.com/tabletop-db/tabletop/internal/util/wholefile"
)

// SelectedFolder is the subfolder for the reports of runs of selected scenarios, so that they leave the reports about
// all scenarios as they are.
const SelectedFolder = "selected"

// Write adds the run to the folder, replacing an earlier run on the same target, and rewrites all reports from the runs
// in the folder. A run of selected scenarios is written to SelectedFolder, and combined with runs of the same
// selection on other targets. Write returns the written files, the HTML page first.
func Write(dir string, entries []Entry, run Run) ([]string, error) {
	if !run.Selection.IsAll() {
		dir, entries = filepath.Join(dir, SelectedFolder), entriesOf(entries, run)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("cannot create the report folder: %w", err)
	}
	slug := slugOf(run.Target)
	if err := save(dir, "run-"+slug+".json", func() ([]byte, error) {
		return json.MarshalIndent(run, "", "  ")
	}); err != nil {
		return nil, err
	}
	runs, err := Load(dir)
	if err != nil {
		return nil, err
	}
	selected := run.Selection.String()
	m := NewMatrix(entries, slices.DeleteFunc(runs, func(r Run) bool { return r.Selection.String() != selected }))
	files := []struct {
		name  string
		write func() ([]byte, error)
	}{
		{"index.html", m.HTML},
		{"features.md", m.Markdown},
		{"junit-" + slug + ".xml", run.JUnit},
		{"cucumber-" + slug + ".json", run.Cucumber},
	}
	var written []string
	for _, f := range files {
		if err := save(dir, f.name, f.write); err != nil {
			return written, err
		}
		written = append(written, filepath.Join(dir, f.name))
	}
	return written, nil
}

// entriesOf returns the entries that the run has scenarios of.
func entriesOf(entries []Entry, run Run) []Entry {
	return slices.DeleteFunc(slices.Clone(entries), func(e Entry) bool { return len(tagged(run, e.ID)) == 0 })
}

func save(dir, name string, write func() ([]byte, error)) error {
	text, err := write()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return wholefile.WriteFile(filepath.Join(dir, name), text, 0o644)
}

// Load reads the runs in a folder, embedded first, then sorted by name.
func Load(dir string) ([]Run, error) {
	names, err := filepath.Glob(filepath.Join(dir, "run-*.json"))
	if err != nil {
		return nil, err
	}
	var runs []Run
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var r Run
		if err := json.Unmarshal(text, &r); err != nil {
			return nil, fmt.Errorf("%s is not the result of a run; remove it (%w)", name, err)
		}
		runs = append(runs, r)
	}
	slices.SortFunc(runs, func(a, b Run) int {
		if (a.Target == "embedded") != (b.Target == "embedded") {
			return map[bool]int{true: -1, false: 1}[a.Target == "embedded"]
		}
		return strings.Compare(a.Target, b.Target)
	})
	return runs, nil
}

var unfit = lazyregexp.New(`[^A-Za-z0-9]+`)

// slugOf returns a target's name in a form fit for file names.
func slugOf(target string) string { return strings.Trim(unfit.ReplaceAllString(target, "-"), "-") }
