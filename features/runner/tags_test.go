package runner

import (
	"errors"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/tabletop-db/tabletop/features/report"
)

func TestClauseTagsIncludeTheirEntry(t *testing.T) {
	t.Parallel()
	got := IDs([]string{"@TL-P1", "@KF-R5.once", "@needs:commands", "@KF-R5.retry", "@TL-P1"})
	if want := []string{"TL-P1", "KF-R5", "KF-R5.once", "KF-R5.retry"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestTagExpressions(t *testing.T) {
	t.Parallel()
	for expression, want := range map[string][]string{
		"":                            {"once", "retry", "other", "needy"},
		"@A-1":                        {"once", "retry"},
		"@A-1.once":                   {"once"},
		"@A-1 or @B-1":                {"once", "retry", "other"},
		"@A-1 and @B-1":               {"retry"},
		"not @A-1":                    {"other", "needy"},
		"(@A-1 or @B-1) and not @B-1": {"once"},
		"@needs:commands":             {"needy"},
	} {
		selected, err := parseTags(expression)
		if err != nil {
			t.Errorf("%q: %v", expression, err)
			continue
		}
		var got []string
		for _, spec := range sampleSpecs {
			if selected.includes(spec.Tags) {
				got = append(got, spec.Name)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q selects %q, want %q", expression, got, want)
		}
	}
}

var sampleSpecs = []Spec{
	{Name: "once", Tags: []string{"@A-1.once"}}, {Name: "retry", Tags: []string{"@A-1.retry", "@B-1"}},
	{Name: "other", Tags: []string{"@B-1"}}, {Name: "needy", Tags: []string{"@C-1", "@needs:commands"}},
}

// TestInvalidTagExpressionsAreRefused checks each error, which names what is wrong and how to write it.
func TestInvalidTagExpressionsAreRefused(t *testing.T) {
	t.Parallel()
	for expression, want := range map[string]string{
		" ":              "a blank expression selects nothing: omit it to run all scenarios",
		"@A-1 &&":        `"@A-1 &&": "&&" is not a tag: ` + tagSyntax,
		"@A-1,@B-1":      `"@A-1,@B-1": "@A-1,@B-1" is not a tag: ` + tagSyntax,
		"@A-1,":          `"@A-1,": "@A-1," is not a tag: ` + tagSyntax,
		"~@A-1":          `"~@A-1": "~@A-1" is not a tag: ` + tagSyntax,
		"A-1":            `"A-1": "A-1" is not a tag: ` + tagSyntax,
		"@A-1 and":       `"@A-1 and": expected a tag after "and": ` + tagSyntax,
		"not":            `"not": expected a tag after "not": ` + tagSyntax,
		"@A-1 @B-1":      `"@A-1 @B-1": expected operator: ` + tagSyntax,
		"(@A-1":          `"(@A-1": unmatched (: ` + tagSyntax,
		"@A-1)":          `"@A-1)": unmatched ): ` + tagSyntax,
		"()":             `"()": expected operand: ` + tagSyntax,
		"@A-1 or @X-9":   `no scenario has the tags "@X-9"`,
		"@A-1 and @C-1":  `no scenario has the tags "@A-1 and @C-1"`,
		"not @A-1 and (": `"not @A-1 and (": expected a tag after "and": ` + tagSyntax,
	} {
		_, err := newPlan(report.Selection{Tags: expression},
			[]Suite{{Name: "sample", Files: fstest.MapFS{"a.feature": {Data: []byte(sampleFile)}}}})
		var wrong *SelectionError
		if !errors.As(err, &wrong) || wrong.By != byTags || err.Error() != want {
			t.Errorf("%q: %v, want %s", expression, err, want)
		}
	}
}

const sampleFile = `Feature: A
  @A-1.once
  Scenario: once
    Given a step
  @B-1 @C-1
  Scenario: other
    Given a step
`
