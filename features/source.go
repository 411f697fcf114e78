package features

import (
	"io/fs"
	"path"
	"strings"

	gherkin "github.com/cucumber/gherkin/go/v26"
	messages "github.com/cucumber/messages/go/v21"
)

// source is one feature file.
type source struct {
	Title     string
	Scenarios []spec
}

// spec is one scenario as written, an outline's examples counted one by one.
type spec struct {
	Name string
	Tags []string
	Line int
}

// line is where the scenario of that name stands; names are unique in a file, which a test holds.
func (s source) line(name string) int {
	for _, w := range s.Scenarios {
		if w.Name == name {
			return w.Line
		}
	}
	return 0
}

// readSources parses every feature file, by its name.
func readSources(files fs.FS) (map[string]source, error) {
	names, err := fs.Glob(files, "*.feature")
	if err != nil {
		return nil, err
	}
	all := map[string]source{}
	for _, name := range names {
		f, err := files.Open(name)
		if err != nil {
			return nil, err
		}
		ids := (&messages.Incrementing{}).NewId
		doc, err := gherkin.ParseGherkinDocument(f, ids)
		f.Close()
		if err != nil {
			return nil, err
		}
		src, lines := source{Title: doc.Feature.Name}, linesOf(doc)
		for _, p := range gherkin.Pickles(*doc, name, ids) {
			src.Scenarios = append(src.Scenarios, spec{p.Name, tagNames(p), lines[p.AstNodeIds[len(p.AstNodeIds)-1]]})
		}
		all[path.Base(name)] = src
	}
	return all, nil
}

// linesOf tells where scenarios and the rows of their examples stand, by the ids that a pickle names them by.
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

// catalogIDs are the tags that are ids of the catalogue: all but the needs of a scenario.
func catalogIDs(tags []string) []string {
	var ids []string
	for _, tag := range tags {
		if !strings.HasPrefix(tag, needs) {
			ids = append(ids, strings.TrimPrefix(tag, "@"))
		}
	}
	return ids
}
