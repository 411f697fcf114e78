package runner

import (
	"fmt"
	"io/fs"
	"path"

	gherkin "github.com/cucumber/gherkin/go/v26"
	messages "github.com/cucumber/messages/go/v21"
)

// Source is one feature file.
type Source struct {
	Title     string
	Scenarios []Spec
}

// Spec is one scenario as written. Each example of an outline is one.
type Spec struct {
	Name string
	Tags []string
	Line int
}

// line returns the line of the scenario with this name. Names are unique in a file, which a test checks.
func (s Source) line(name string) int {
	for _, w := range s.Scenarios {
		if w.Name == name {
			return w.Line
		}
	}
	return 0
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
		src, lines := Source{Title: doc.Feature.Name}, linesOf(doc)
		for _, p := range gherkin.Pickles(*doc, name, ids) {
			src.Scenarios = append(src.Scenarios, Spec{p.Name, tagNames(p), lines[p.AstNodeIds[len(p.AstNodeIds)-1]]})
		}
		all[path.Base(name)] = src
	}
	return all, nil
}

// linesOf returns the lines of scenarios and of the rows of their examples, by the ids that pickles refer to.
func linesOf(doc *messages.GherkinDocument) map[string]int {
	lines := map[string]int{}
	for _, child := range doc.Feature.Children {
		if child.Scenario == nil {
			continue
		}
		lines[child.Scenario.Id] = int(child.Scenario.Location.Line)
		for _, examples := range child.Scenario.Examples {
			for _, row := range examples.TableBody {
				lines[row.Id] = int(row.Location.Line)
			}
		}
	}
	return lines
}

func tagNames(p *messages.Pickle) []string {
	names := make([]string, len(p.Tags))
	for i, t := range p.Tags {
		names[i] = t.Name
	}
	return names
}
