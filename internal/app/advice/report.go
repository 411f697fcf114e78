package advice

import (
	"cmp"
	"slices"
	"time"
)

// Report is the result of a review.
type Report struct {
	Requests   int64        `json:"requests"`
	Span       string       `json:"span"` // of the recording, as a Go duration
	Findings   []Finding    `json:"findings"`
	Suppressed []Suppressed `json:"suppressed"`
}

// report asks the watchers what they found: findings that cost most come first within the order of the rules.
func (v *Review) report(watchers []watcher) *Report {
	p := &Report{Requests: v.Requests, Span: v.Span.Round(time.Millisecond).String(), Findings: []Finding{},
		Suppressed: []Suppressed{}}
	for i, w := range watchers {
		rule := Rules()[i]
		found := w.conclude()
		for j := range found {
			found[j].Rule, found[j].Source = rule.ID, cmp.Or(found[j].Source, rule.Source)
		}
		slices.SortStableFunc(found, func(a, b Finding) int {
			return cmp.Or(cmp.Compare(b.Monthly, a.Monthly), cmp.Compare(a.Table, b.Table), cmp.Compare(a.Index, b.Index),
				cmp.Compare(a.Problem, b.Problem))
		})
		p.Findings = append(p.Findings, found...)
	}
	return p
}
