package runner

import (
	"fmt"
	"io/fs"
	"path"
	"slices"

	gherkin "github.com/cucumber/gherkin/go/v26"
	messages "github.com/cucumber/messages/go/v21"

	"github.com/tabletop-db/tabletop/features/report"
)

// Source is one feature file.
type Source struct {
	Title     string
	Scenarios []Spec
}

// Spec is one scenario as written. Each example of an outline is one.
type Spec struct {
	Name  string
	Tags  []string
	Line  int
	Steps []report.Step // those of the background first, as skipped
	spans []span
}

// IsAt reports whether a line of the file selects the scenario, as one of its lines does.
func (s Spec) IsAt(line int) bool {
	return slices.ContainsFunc(s.spans, func(one span) bool { return one.holds(line) })
}

// setLines sets the lines of a scenario and its steps, which are found by its name and number of steps.
func (s Source) setLines(scenario *report.Scenario) {
	for _, w := range s.Scenarios {
		if w.Name != scenario.Name || len(w.Steps) != len(scenario.Steps) {
			continue
		}
		scenario.Line = w.Line
		for i := range scenario.Steps {
			scenario.Steps[i].Line = w.Steps[i].Line
		}
		return
	}
}

// Read parses every feature file at the top level of files and returns them by name. Errors name the file and the line.
func Read(files fs.FS) (map[string]Source, error) {
	names, err := fs.Glob(files, "*.feature")
	if err != nil {
		return nil, err
	}
	all := map[string]Source{}
	for _, name := range names {
		f, err := files.Open(name)
		if err != nil {
			return nil, err
		}
		ids := (&messages.Incrementing{}).NewId
		doc, err := gherkin.ParseGherkinDocument(f, ids)
		f.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		src, lines, spans := Source{Title: doc.Feature.Name}, linesOf(doc), spansOf(scenariosOf(doc))
		for _, p := range gherkin.Pickles(*doc, name, ids) {
			id := p.AstNodeIds[len(p.AstNodeIds)-1]
			spec := Spec{Name: p.Name, Tags: tagNames(p), Line: lines[id], Steps: stepsOf(p, nil), spans: spans[id]}
			for i, step := range p.Steps {
				spec.Steps[i].Line = lines[step.AstNodeIds[0]]
			}
			src.Scenarios = append(src.Scenarios, spec)
		}
		all[path.Base(name)] = src
	}
	return all, nil
}

// linesOf returns the lines of scenarios, of the rows of their examples, and of steps, by the ids in pickles.
func linesOf(doc *messages.GherkinDocument) map[string]int {
	lines := map[string]int{}
	for _, child := range childrenOf(doc) {
		if child.Background != nil {
			addSteps(lines, child.Background.Steps)
		}
		if child.Scenario == nil {
			continue
		}
		lines[child.Scenario.Id] = int(child.Scenario.Location.Line)
		addSteps(lines, child.Scenario.Steps)
		for _, examples := range child.Scenario.Examples {
			for _, row := range examples.TableBody {
				lines[row.Id] = int(row.Location.Line)
			}
		}
	}
	return lines
}

// childrenOf returns the backgrounds and scenarios of a file, also those in rules.
func childrenOf(doc *messages.GherkinDocument) (all []*messages.RuleChild) {
	for _, child := range doc.Feature.Children {
		if child.Rule != nil {
			all = append(all, child.Rule.Children...)
			continue
		}
		all = append(all, &messages.RuleChild{Background: child.Background, Scenario: child.Scenario})
	}
	return all
}

func scenariosOf(doc *messages.GherkinDocument) (all []*messages.Scenario) {
	for _, child := range childrenOf(doc) {
		if child.Scenario != nil {
			all = append(all, child.Scenario)
		}
	}
	return all
}

func addSteps(lines map[string]int, steps []*messages.Step) {
	for _, step := range steps {
		lines[step.Id] = int(step.Location.Line)
	}
}

func tagNames(p *messages.Pickle) []string {
	names := make([]string, len(p.Tags))
	for i, t := range p.Tags {
		names[i] = t.Name
	}
	return names
}
