package runner

import (
	"errors"
	"fmt"
	"slices"
)

// plan is what a run will do.
type plan struct {
	selection
	suites []plannedSuite
	total  int // scenarios that run
}

// plannedSuite is a suite with its parsed files.
type plannedSuite struct {
	Suite
	sources map[string]Source // all files, by name
	files   []string          // the files that have scenarios that run, in alphabetical order
}

// ErrNoScenario means that nothing was run, because no scenario has the requested tags.
var ErrNoScenario = errors.New("no scenario has the tags")

// newPlan reads the suites' files and selects scenarios. Errors: a file cannot be parsed, or a *TagsError.
func newPlan(tags string, suites []Suite) (*plan, error) {
	selected, err := parseTags(tags)
	if err != nil {
		return nil, err
	}
	p := &plan{selection: selected}
	for _, s := range suites {
		if err := p.add(s); err != nil {
			return nil, err
		}
	}
	if tag := p.unknown(p.suites); tag != "" {
		return nil, &TagsError{fmt.Errorf("%w %q", ErrNoScenario, tag)}
	}
	if p.total == 0 {
		return nil, &TagsError{fmt.Errorf("%w %q", ErrNoScenario, tags)}
	}
	return p, nil
}

func (p *plan) add(s Suite) error {
	sources, err := Read(s.Files)
	if err != nil {
		return err
	}
	one := plannedSuite{Suite: s, sources: sources}
	for name, source := range sources {
		before := p.total
		for _, spec := range source.Scenarios {
			if p.includes(spec.Tags) {
				p.total++
			}
		}
		if p.total > before {
			one.files = append(one.files, name)
		}
	}
	slices.Sort(one.files)
	p.suites = append(p.suites, one)
	return nil
}
