package report

import (
	"encoding/json"
	"strings"
	"time"
)

// The parts of Cucumber's JSON format that its readers use.
type (
	cukeFeature struct {
		URI         string        `json:"uri"`
		ID          string        `json:"id"`
		Keyword     string        `json:"keyword"`
		Name        string        `json:"name"`
		Description string        `json:"description"`
		Line        int           `json:"line"`
		Elements    []cukeElement `json:"elements"`
	}
	cukeElement struct {
		ID          string     `json:"id"`
		Keyword     string     `json:"keyword"`
		Type        string     `json:"type"`
		Name        string     `json:"name"`
		Description string     `json:"description"`
		Line        int        `json:"line"`
		Tags        []cukeTag  `json:"tags"`
		Steps       []cukeStep `json:"steps"`
	}
	cukeTag struct {
		Name string `json:"name"`
		Line int    `json:"line"`
	}
	cukeStep struct {
		Keyword string     `json:"keyword"`
		Name    string     `json:"name"`
		Line    int        `json:"line"`
		Match   struct{}   `json:"match"`
		Result  cukeResult `json:"result"`
	}
	cukeResult struct {
		Status   string        `json:"status"`
		Duration time.Duration `json:"duration"` // nanoseconds
		Error    string        `json:"error_message,omitempty"`
	}
)

// Cucumber returns the run as Cucumber JSON. A scenario that is not applicable, or a known difference, has skipped
// steps, with the reason on the first one.
func (r Run) Cucumber() ([]byte, error) {
	features := []cukeFeature{}
	for _, s := range r.Scenarios {
		uri := s.Path()
		if n := len(features); n == 0 || features[n-1].URI != uri {
			features = append(features, cukeFeature{
				URI: uri, ID: slugOf(strings.ToLower(s.Feature)), Keyword: "Feature", Name: s.Feature, Line: 1,
			})
		}
		f := &features[len(features)-1]
		f.Elements = append(f.Elements, element(f.ID, s))
	}
	return json.MarshalIndent(features, "", "  ")
}

func element(feature string, s Scenario) cukeElement {
	e := cukeElement{
		ID: feature + ";" + slugOf(strings.ToLower(s.Name)), Keyword: "Scenario", Type: "scenario", Name: s.Name,
		Line: s.Line, Tags: []cukeTag{}, Steps: []cukeStep{},
	}
	for _, id := range s.IDs {
		e.Tags = append(e.Tags, cukeTag{"@" + id, s.Line})
	}
	reason := s.Reason
	for _, st := range s.Steps {
		step := cukeStep{Keyword: st.Keyword + " ", Name: st.Text, Line: st.Line}
		step.Result = cukeResult{Status: st.Status, Duration: st.Elapsed}
		excused := s.Outcome == NotApplicable || s.Outcome == KnownDifference
		if excused && st.Status != "passed" {
			step.Result.Status = "skipped"
		}
		if st.Status != "passed" && reason != "" {
			step.Result.Error, reason = reason, ""
		}
		e.Steps = append(e.Steps, step)
	}
	return e
}
