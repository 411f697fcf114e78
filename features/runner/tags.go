package runner

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	tagexpressions "github.com/cucumber/tag-expressions/go/v6"
)

// IDs returns the tags that are catalogue ids, without their @: all but the needs of a scenario. The tag of a clause,
// such as @KF-R5.once, also gives the id of its entry.
func IDs(tags []string) []string {
	var ids []string
	for _, tag := range tags {
		if strings.HasPrefix(tag, NeedsTag) {
			continue
		}
		id := strings.TrimPrefix(tag, "@")
		if entry, _, isClause := strings.Cut(id, "."); isClause && !slices.Contains(ids, entry) {
			ids = append(ids, entry)
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// tagSyntax is the remedy for an expression that is not in Cucumber's language.
const tagSyntax = `combine tags with "and", "or", "not" and parentheses, as in "@a and not (@b or @c)"`

// tagFilter decides which scenarios the tags select.
type tagFilter struct {
	expression tagexpressions.Evaluatable
	tags       []string // that the expression names
}

// parseTags parses an expression in Cucumber's language of tag expressions. The empty expression selects all scenarios.
func parseTags(text string) (tagFilter, error) {
	tags, err := tagsIn(text)
	if err != nil {
		return tagFilter{}, &SelectionError{byTags, err}
	}
	expression, err := tagexpressions.Parse(text)
	if err != nil {
		_, reason, _ := strings.Cut(strings.TrimSuffix(err.Error(), "."), "syntax error: ")
		return tagFilter{}, &SelectionError{byTags, fmt.Errorf("%q: %s: %s", text, strings.ToLower(reason), tagSyntax)}
	}
	return tagFilter{expression, tags}, nil
}

// tagsIn returns the tags in an expression. It refuses what the parser takes for the name of a tag, such as "@a,@b" and
// "~@a" of Cucumber's former language, and an expression that ends early, on which the parser panics.
func tagsIn(text string) (tags []string, err error) {
	if text != "" && strings.TrimSpace(text) == "" {
		return nil, errors.New("a blank expression selects nothing: omit it to run all scenarios")
	}
	last := ""
	for _, last = range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n()", r) }) {
		switch {
		case slices.Contains(operators, last):
		case !strings.HasPrefix(last, "@") || strings.ContainsAny(last, ",~&|"):
			return nil, fmt.Errorf("%q: %q is not a tag: %s", text, last, tagSyntax)
		case !slices.Contains(tags, last):
			tags = append(tags, last)
		}
	}
	if slices.Contains(operators, last) {
		return nil, fmt.Errorf("%q: expected a tag after %q: %s", text, last, tagSyntax)
	}
	return tags, nil
}

var operators = []string{"and", "or", "not"}

// includes reports whether a scenario has the tags. The tag of a clause counts as that of its entry too, so
// that @KF-R5 includes @KF-R5.once.
func (f tagFilter) includes(tags []string) bool {
	all := slices.Clone(tags)
	for _, id := range IDs(tags) {
		all = append(all, "@"+id)
	}
	return f.expression.Evaluate(all)
}

// unknown returns the first tag of the expression that no scenario has, or "".
func (f tagFilter) unknown(suites []plannedSuite) string {
	known := map[string]bool{}
	for _, suite := range suites {
		for _, source := range suite.sources {
			for _, spec := range source.Scenarios {
				for _, tag := range spec.Tags {
					entry, _, _ := strings.Cut(tag, ".")
					known[tag], known[entry] = true, true
				}
			}
		}
	}
	for _, tag := range f.tags {
		if !known[tag] {
			return tag
		}
	}
	return ""
}
