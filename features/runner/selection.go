package runner

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"

	"github.com/tabletop-db/tabletop/features/report"
)

// SelectionError means that Options.Selection is invalid or selects no scenario, so nothing was run. Its text says what
// to do.
type SelectionError struct {
	By  string // the condition that is wrong: tags, name, files, or empty for all together
	Err error
}

func (e *SelectionError) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e *SelectionError) Unwrap() error { return e.Err }

// The conditions of a selection.
const (
	byTags  = "tags"
	byName  = "name"
	byFiles = "files"
)

// ErrNoScenario means that nothing was run, because no scenario has the requested tags.
var ErrNoScenario = errors.New("no scenario has the tags")

// selection decides which scenarios run. godog's own selection by line is not used: it has none by name, it cannot
// select an example of an outline, and knows only tags that are written, not that of a clause's entry.
type selection struct {
	wanted report.Selection
	tags   tagFilter
	name   *regexp.Regexp      // nil: any name
	places map[string]nameList // the scenarios by the path of their file; nil: all files
}

// nameList is the names of the scenarios of a file.
type nameList map[string]bool

// newSelection checks the conditions. Errors: a *SelectionError.
func newSelection(wanted report.Selection, suites []plannedSuite) (s selection, err error) {
	s.wanted = wanted
	if s.tags, err = parseTags(wanted.Tags); err != nil {
		return s, err
	}
	if tag := s.tags.unknown(suites); tag != "" {
		return s, &SelectionError{byTags, fmt.Errorf("%w %q", ErrNoScenario, tag)}
	}
	if s.name, err = parseName(wanted.Name); err != nil {
		return s, &SelectionError{byName, err}
	}
	if s.places, err = resolveFiles(wanted.Files, suites); err != nil {
		return s, &SelectionError{byFiles, err}
	}
	return s, nil
}

func parseName(pattern string) (*regexp.Regexp, error) {
	if pattern == "" {
		return nil, nil
	}
	name, err := regexp.Compile(pattern)
	var wrong *syntax.Error
	if errors.As(err, &wrong) {
		return nil, fmt.Errorf(`%q is not a regular expression: %s: put \ before a character that stands for itself`,
			pattern, wrong.Code)
	}
	return name, err
}

// includes reports whether a scenario runs.
func (s selection) includes(path, name string, tags []string) bool {
	return s.tags.includes(tags) && s.includesName(name) && (s.places == nil || s.places[path][name])
}

func (s selection) includesName(name string) bool { return s.name == nil || s.name.MatchString(name) }

// emptyError returns the error of a selection that no scenario meets: which of its conditions none meets, or that none
// meets them together.
func (s selection) emptyError(suites []plannedSuite) error {
	hasTags, hasName := false, false
	for _, suite := range suites {
		for _, source := range suite.sources {
			for _, spec := range source.Scenarios {
				hasTags = hasTags || s.tags.includes(spec.Tags)
				hasName = hasName || s.includesName(spec.Name)
			}
		}
	}
	switch {
	case !hasTags:
		return &SelectionError{byTags, fmt.Errorf("%w %q", ErrNoScenario, s.wanted.Tags)}
	case !hasName:
		return &SelectionError{byName, fmt.Errorf("no scenario has a name that matches %q: use a part of one, "+
			"and (?i) at the beginning to ignore case", s.wanted.Name)}
	}
	return &SelectionError{Err: fmt.Errorf("no scenario meets all of %s: omit one of them", s.wanted)}
}
