package runner

import (
	"strings"

	messages "github.com/cucumber/messages/go/v21"
)

// span is a range of lines of a feature file, with its first and its last line.
type span struct{ first, last int }

func (s span) holds(line int) bool { return s.first <= line && line <= s.last }

// spansOf returns the lines that select each scenario, by the id of the scenario or of its row of examples in pickles.
// Each line of a scenario selects it, from its tags to the end of its last step, so that the line of a failed step will
// do, as in Cucumber for Ruby. In an outline, the line of a row selects its example, the head of a table those of the
// table, and any other line all. The lines before the first scenario, such as the feature's title and its background,
// select all scenarios.
func spansOf(scenarios []*messages.Scenario) map[string][]span {
	all := map[string][]span{}
	for _, s := range scenarios {
		feature := span{1, firstLine(s.Location, s.Tags) - 1}
		if first := scenarios[0]; s != first {
			feature.last = firstLine(first.Location, first.Tags) - 1
		}
		whole := span{firstLine(s.Location, s.Tags), lastLine(s)}
		if len(s.Examples) == 0 {
			all[s.Id] = []span{feature, whole}
			continue
		}
		whole.last = firstLine(s.Examples[0].Location, s.Examples[0].Tags) - 1
		for _, table := range s.Examples {
			head := span{firstLine(table.Location, table.Tags), int(table.Location.Line)}
			if table.TableHeader != nil {
				head.last = int(table.TableHeader.Location.Line)
			}
			for _, row := range table.TableBody {
				line := int(row.Location.Line)
				all[row.Id] = []span{feature, whole, head, {line, line}}
			}
		}
	}
	return all
}

// firstLine returns the line of the first tag, or of the keyword if there is none.
func firstLine(keyword *messages.Location, tags []*messages.Tag) int {
	line := keyword.Line
	for _, tag := range tags {
		line = min(line, tag.Location.Line)
	}
	return int(line)
}

// lastLine returns the line on which the last step of a scenario ends, with its table or text block.
func lastLine(s *messages.Scenario) int {
	last := s.Location.Line
	for _, step := range s.Steps {
		last = step.Location.Line
		if t := step.DataTable; t != nil {
			last = t.Rows[len(t.Rows)-1].Location.Line
		}
		if d := step.DocString; d != nil {
			last = d.Location.Line + int64(strings.Count(d.Content, "\n")) + 2
		}
	}
	return int(last)
}
