package report

import (
	"fmt"
	"strings"
	"time"
)

// Outcome is the result of a scenario.
type Outcome string

// The outcomes of scenarios. Only Failed makes a run fail.
const (
	Passed          Outcome = "passed"
	Failed          Outcome = "failed"
	KnownDifference Outcome = "known difference" // failed as expected on the target
	NotApplicable   Outcome = "not applicable"   // the target lacks what the scenario needs
)

// Label returns the outcome as reports show it: PASS, FAIL, PARTIAL, KNOWN DIFFERENCE, NOT APPLICABLE, NOT MEASURED or
// NOT RUN.
func (o Outcome) Label() string {
	switch o {
	case Passed:
		return "PASS"
	case Failed:
		return "FAIL"
	case PassedInPart:
		return "PARTIAL"
	}
	return strings.ToUpper(string(o))
}

// Run is one run of scenarios against one target.
type Run struct {
	Target    string        `json:"target"`
	Detail    string        `json:"detail"`
	Version   string        `json:"version,omitempty"` // of Tabletop
	Started   time.Time     `json:"started"`
	Elapsed   time.Duration `json:"elapsed_ns"`
	Selection Selection     `json:"selection,omitzero"` // of the scenarios
	Scenarios []Scenario    `json:"scenarios"`
}

// Scenario is the outcome of one scenario.
type Scenario struct {
	System  string        `json:"system"`
	Feature string        `json:"feature"` // its title
	File    string        `json:"file"`
	Name    string        `json:"name"`
	Line    int           `json:"line"` // line in its file
	IDs     []string      `json:"ids"`  // catalogue ids
	Outcome Outcome       `json:"outcome"`
	Reason  string        `json:"reason,omitempty"` // why it did not pass
	Elapsed time.Duration `json:"elapsed_ns"`
	Steps   []Step        `json:"steps"`
	// Trace is the requests and responses, in the order of the responses; empty unless the run keeps them.
	Trace        []Exchange `json:"trace,omitempty"`
	TraceDropped int        `json:"trace_dropped,omitempty"` // number of further ones that are not in Trace
}

// Exchange is a request and its response, without headers.
type Exchange struct {
	Step      int           `json:"step"`      // index of the step that it belongs to; -1: before the first
	Service   string        `json:"service"`   // api, dynamodb or cosmos
	Operation string        `json:"operation"` // the operation of DynamoDB, or the method and path
	Status    int           `json:"status"`    // 0: no response
	Elapsed   time.Duration `json:"elapsed_ns"`
	Request   string        `json:"request"`
	Response  string        `json:"response"`
	Error     string        `json:"error,omitempty"`     // why there is no response
	Truncated bool          `json:"truncated,omitempty"` // a body is longer than what is kept
}

// Step is one step of a scenario.
type Step struct {
	Keyword string        `json:"keyword"` // Given, When, Then, And
	Text    string        `json:"text"`
	Line    int           `json:"line"`             // line in the scenario's file
	Detail  string        `json:"detail,omitempty"` // its table or text block
	Status  string        `json:"status"`           // passed, failed, skipped, undefined, pending, ambiguous
	Elapsed time.Duration `json:"elapsed_ns"`
}

// Text returns the scenario as written, one step per line. A step that did not pass, unless it was skipped, is marked
// with a cross.
func (s Scenario) Text() string {
	var b strings.Builder
	for _, st := range s.Steps {
		mark := "  "
		if st.Status != "passed" && st.Status != "skipped" {
			mark = "✗ "
		}
		fmt.Fprintf(&b, "%s%s %s\n", mark, st.Keyword, st.Text)
		if st.Detail != "" {
			b.WriteString(st.Detail + "\n")
		}
	}
	return b.String()
}

// Count returns the number of the run's scenarios with this outcome.
func (r Run) Count(o Outcome) int { return len(r.With(o)) }

// With returns the run's scenarios with this outcome.
func (r Run) With(o Outcome) (all []Scenario) {
	for _, s := range r.Scenarios {
		if s.Outcome == o {
			all = append(all, s)
		}
	}
	return all
}
