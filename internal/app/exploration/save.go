package exploration

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/internal/explore"
	"github.com/tabletop-db/tabletop/internal/util/wholefile"
)

// Recorder runs a plan and writes the requests to a recording.
type Recorder interface {
	Record(ctx context.Context, p explore.Plan, to io.Writer) (*explore.Outcome, error)
}

// Save writes the report to a folder, in place of an earlier one: index.html, junit.xml, explore.json, and a folder for
// each finding, whose plan is run once more for its recording, unless ctx is done. It returns the paths of the three
// files.
func (r *Report) Save(ctx context.Context, dir string, program Recorder) ([]string, error) {
	if err := clearFindings(dir); err != nil {
		return nil, err
	}
	for i, f := range r.Result.Findings {
		if err := r.saveFinding(ctx, filepath.Join(dir, folder(i)), f, program); err != nil {
			return nil, err
		}
	}
	var files []string
	for _, w := range []struct {
		name  string
		write func() ([]byte, error)
	}{{"index.html", r.HTML}, {"junit.xml", r.JUnit}, {"explore.json", r.JSON}} {
		text, err := w.write()
		if err != nil {
			return nil, err
		}
		file := filepath.Join(dir, w.name)
		if err := wholefile.WriteFile(file, text, 0o644); err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

// folder returns the name of the folder of the i-th finding.
func folder(i int) string { return fmt.Sprintf("finding-%d", i+1) }

// clearFindings creates a folder, and removes the findings of an earlier report from it.
func clearFindings(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(dir, "finding-*"))
	for _, each := range old {
		err = errors.Join(err, os.RemoveAll(each))
	}
	return err
}

// saveFinding writes the folder of a finding: its story, its plan as a faults file, the recording of a run with it, and
// a scenario that runs it, with its files.
func (r *Report) saveFinding(ctx context.Context, dir string, f *explore.Finding, program Recorder) error {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	faults, err := faultsFile(f.Plan)
	if err != nil {
		return err
	}
	var recording bytes.Buffer
	if _, err := program.Record(ctx, f.Plan, &recording); err != nil && ctx.Err() == nil {
		return err
	}
	files := map[string][]byte{
		"story.txt":       []byte(r.Account(f)),
		"faults.yaml":     faults,
		"recording.jsonl": recording.Bytes(),
		"finding.feature": []byte(r.scenario(f)),
	}
	maps.Copy(files, r.Files)
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// faultsFile returns a plan as a file for tabletop emulator --faults.
func faultsFile(p explore.Plan) ([]byte, error) {
	type fault struct {
		Operations []string `yaml:"operations,flow"`
		Tables     []string `yaml:"tables,flow,omitempty"`
		Do         string   `yaml:"do"`
		Skip       int      `yaml:"skip,omitempty"`
		Times      int      `yaml:"times"`
		Members    int      `yaml:"members,omitempty"`
	}
	var file struct {
		Faults []fault `yaml:"faults"`
	}
	for _, f := range emulator.PlanFaults(p) {
		file.Faults = append(file.Faults, fault{f.Operations, f.Tables, string(f.Do), f.Skip, f.Times, f.Members})
	}
	text, err := yaml.Marshal(file)
	return append([]byte("# "+p.String()+"\n"), text...), err
}

// scenario returns a feature that runs the command with the plan of a finding.
func (r *Report) scenario(f *explore.Finding) string {
	lines := []string{"Feature: Mishaps that have broken a command", "", "  Scenario: " + f.Plan.String()}
	for _, given := range []struct{ file, step string }{
		{TablesFile, "commands find the tables of the file"}, {InvariantsFile, "commands must keep the invariants of the file"},
	} {
		if r.Files[given.file] != nil {
			lines = append(lines, fmt.Sprintf("    Given %s %q", given.step, given.file))
		}
	}
	return strings.Join(append(lines,
		`    When a command runs with the mishaps "`+f.Plan.Text()+`":`,
		`      """`,
		"      "+strings.ReplaceAll(commandLine(r.Command), "\n", "\n      "),
		`      """`,
		"    Then the command succeeds",
		"",
	), "\n")
}
