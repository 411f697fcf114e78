package runner

import (
	"slices"

	"github.com/tabletop-db/tabletop/features/report"
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
	total   int               // scenarios that run
}

// newPlan reads the suites' files and selects scenarios. Errors: a file cannot be parsed, or a *SelectionError.
func newPlan(wanted report.Selection, suites []Suite) (*plan, error) {
	p := &plan{}
	for _, s := range suites {
		sources, err := Read(s.Files)
		if err != nil {
			return nil, err
		}
		p.suites = append(p.suites, plannedSuite{Suite: s, sources: sources})
	}
	var err error
	if p.selection, err = newSelection(wanted, p.suites); err != nil {
		return nil, err
	}
	for i := range p.suites {
		p.suites[i].plan(p.selection)
		p.total += p.suites[i].total
	}
	if p.total == 0 {
		return nil, p.emptyError(p.suites)
	}
	return p, nil
}

// plan sets the files that have scenarios to run, and the number of these scenarios.
func (s *plannedSuite) plan(selected selection) {
	for name, source := range s.sources {
		before := s.total
		for _, spec := range source.Scenarios {
			if selected.includes(s.path(name), spec.Name, spec.Tags) {
				s.total++
			}
		}
		if s.total > before {
			s.files = append(s.files, name)
		}
	}
	slices.Sort(s.files)
}
