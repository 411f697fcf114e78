package explore

import (
	"context"
	"slices"
)

// Finding is a plan that breaks the program.
type Finding struct {
	Plan    Plan     `json:"plan"`
	Outcome *Outcome `json:"outcome"`        // of the last run of this plan
	Also    []int    `json:"also,omitempty"` // with one mishap: the other requests of its target that break the program too
}

// add adds another request that the mishap breaks the program at.
func (f *Finding) add(nth int) {
	if f.Plan[0].Nth != nth && !slices.Contains(f.Also, nth) {
		f.Also = append(f.Also, nth)
		slices.Sort(f.Also)
	}
}

// explains reports whether the finding's mishaps all happen in a plan. With anyNth, a single mishap may happen to
// another request of its target there.
func (f *Finding) explains(p Plan, anyNth bool) bool {
	return p.contains(f.Plan) || anyNth && len(f.Plan) == 1 && slices.ContainsFunc(p, f.Plan[0].like)
}

// Client returns the user agent of the client whose request was disturbed; empty if it sent none.
func (f *Finding) Client() string {
	for i := range f.Outcome.Requests {
		if r := &f.Outcome.Requests[i]; r.Mishap != "" {
			return r.Client
		}
	}
	return ""
}

// confirmations is how often a plan that failed is run again. It is a finding if it fails each time.
const confirmations = 2

// examine finds out whether a failure is a finding.
func (s *search) examine(ctx context.Context, p Plan, o *Outcome) error {
	if f := s.result.sameKind(p); f != nil {
		f.add(p[0].Nth)
		return nil
	}
	real, err := s.confirm(ctx, p, &o)
	if err != nil {
		return err
	}
	if !real {
		s.result.Flaky = append(s.result.Flaky, &Finding{Plan: p, Outcome: o})
		return nil
	}
	if p, o, err = s.shrink(ctx, p, o); err != nil {
		return err
	}
	s.tried[p.Text()] = true
	if f := s.result.sameKind(p); f != nil {
		f.add(p[0].Nth)
		return nil
	}
	found := &Finding{Plan: p, Outcome: o}
	s.result.Findings = append(s.result.Findings, found)
	s.result.failed(p)
	if s.settings.Found != nil {
		s.settings.Found(found)
	}
	return nil
}

// confirm runs a plan that failed again, beside a run without mishaps, and reports whether only the mishaps can be the
// cause. o becomes the latest failure.
func (s *search) confirm(ctx context.Context, p Plan, o **Outcome) (bool, error) {
	plans := []Plan{nil}
	for range confirmations {
		plans = append(plans, p)
	}
	outcomes, err := s.runAll(ctx, plans)
	if err != nil {
		return false, err
	}
	if !outcomes[0].Passed {
		return false, nil
	}
	for _, again := range outcomes[1:] {
		if again.Passed {
			return false, nil
		}
		*o = again
	}
	return true, nil
}

// shrink leaves out mishaps as long as the program still fails. Those that did not happen go first.
func (s *search) shrink(ctx context.Context, p Plan, o *Outcome) (Plan, *Outcome, error) {
	for i := 0; i < len(p) && len(p) > 1; {
		smaller := p.without(i)
		outcomes, err := s.runAll(ctx, []Plan{smaller})
		if err != nil {
			return nil, nil, err
		}
		if outcomes[0].Passed {
			i++
			continue
		}
		p, o = smaller, outcomes[0]
	}
	return p, o, nil
}
