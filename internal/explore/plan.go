package explore

import (
	"fmt"
	"slices"
	"strings"
)

// Plan is what happens in a run, to different requests. The empty plan is a run without mishaps.
type Plan []Mishap

// String describes what happens.
func (p Plan) String() string {
	if len(p) == 0 {
		return "no mishaps"
	}
	parts := make([]string, len(p))
	for i, m := range p {
		parts[i] = m.String()
	}
	return strings.Join(parts, ", and ")
}

// Text returns the plan in the form that ParsePlan reads: KIND OPERATION NTH TABLE for each mishap, separated by
// commas. It has no character that a shell changes between single quotes.
func (p Plan) Text() string {
	parts := make([]string, len(p))
	for i, m := range p {
		parts[i] = m.text()
	}
	return strings.Join(parts, ", ")
}

// ParsePlan parses the form of Text. Errors are one line, with the remedy.
func ParsePlan(text string) (Plan, error) {
	var p Plan
	for part := range strings.SplitSeq(text, ",") {
		m, err := parseMishap(strings.Fields(part))
		if err != nil {
			return nil, fmt.Errorf("mishap %q: %w", strings.TrimSpace(part), err)
		}
		p = append(p, m)
	}
	return p, nil
}

// contains reports whether everything that happens in q happens in p too.
func (p Plan) contains(q Plan) bool {
	return !slices.ContainsFunc(q, func(m Mishap) bool { return !slices.Contains(p, m) })
}

// withLostResponses returns the plan with a lost response in place of each restart.
func (p Plan) withLostResponses() Plan {
	milder := slices.Clone(p)
	for i := range milder {
		if milder[i].Do == Restart {
			milder[i].Do = LostResponse
		}
	}
	return milder
}

// without returns the plan without one mishap.
func (p Plan) without(i int) Plan { return slices.Delete(slices.Clone(p), i, i+1) }
