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
		src := source{Title: doc.Feature.Name}
		for _, p := range gherkin.Pickles(*doc, name, ids) {
			src.Scenarios = append(src.Scenarios, spec{Name: p.Name, Tags: tagNames(p)})
		}
		all[path.Base(name)] = src
	}
	return all, nil
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
