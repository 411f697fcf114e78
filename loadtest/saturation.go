package loadtest

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
	"github.com/tabletop-db/tabletop/loadtest/verdict"
)

// Saturation is the result of the search for the highest rate that a target sustains: the highest step that passed and
// the lowest one that failed.
type Saturation struct {
	Profile string           `json:"profile"`
	Target  string           `json:"target"`
	Steps   []SaturationStep `json:"steps"` // in the order in which they ran
	// Passed is the highest step without a failed limit; nil: there is none.
	Passed *SaturationStep `json:"kept,omitempty"`
	// Failed is the lowest step with a failed limit; nil: there is none.
	Failed *SaturationStep `json:"broke,omitempty"`
}

// SaturationStep is a run of the profile at a multiple of its rates.
type SaturationStep struct {
	Scale      float64          `json:"scale"`      // times the documented rates
	Planned    float64          `json:"planned"`    // requests per second
	Throughput float64          `json:"throughput"` // successful responses per second
	Errors     int64            `json:"errors"`
	Latency    result.Latency   `json:"latency"`
	Failed     []result.Verdict `json:"missed,omitempty"` // limits on latency, rate and failures
}

// minScale is the smallest multiple of the documented rates that is tried.
const minScale = 1.0 / 64

// Saturate runs the busiest stage of a profile at its documented rate, then doubles the rate until a limit on latency,
// rate or failures fails (or halves it until none does), and then bisects between the two, with the given number of
// steps at most. Limits on sizes and cost, and upper limits on rates, do not count, because they say nothing about how
// much load a target handles. Above the documented rate the population stays as documented and is busier, because
// creating a larger one would take longer than the step. done is called after each step. Errors: those of run.
func Saturate(
	p profile.Profile, steps int, run func(p profile.Profile, scale float64) (*result.Report, error),
	done func(SaturationStep),
) (*Saturation, error) {
	// An upper limit may be the mean with slower stages, which do not run.
	p = verdict.WithoutMaximumRates(p)
	if err := checkSaturable(p); err != nil {
		return nil, err
	}
	s := &Saturation{Profile: p.ID}
	p.Stages = []profile.Stage{p.Stages[p.Peak()]}
	p.Stages[0].WarmUp = false // the only stage counts for latency
	for scale := 1.0; len(s.Steps) < steps && scale >= minScale; scale = s.next() {
		r, err := run(atScale(p, scale), scale)
		if err != nil {
			return nil, err
		}
		s.Target = r.Target
		step := stepOf(scale, r)
		done(step)
		s.add(step)
	}
	return s, nil
}

// atScale returns the profile with its rates multiplied by scale.
func atScale(p profile.Profile, scale float64) profile.Profile {
	population := p.Population
	if p = shorten(p, 0, scale); scale > 1 {
		p.Population = population
	}
	return p
}

// checkSaturable returns an error that says why the search does not apply to a profile.
func checkSaturable(p profile.Profile) error {
	if p.Unscaled != "" {
		return fmt.Errorf("%s has a fixed rate: %s", p.ID, p.Unscaled)
	}
	if !slices.ContainsFunc(p.Limits, func(l profile.Limit) bool { return verdict.ShowsOverload(l.Metric) }) {
		return errors.New(p.ID + " has no limit on latency, rate or failures")
	}
	return nil
}

// stepOf returns the step of the search for a run at this multiple of the documented rates.
func stepOf(scale float64, r *result.Report) SaturationStep {
	s := SaturationStep{
		Scale: scale, Planned: r.Profile.Stages[0].Mean(), Throughput: r.Throughput, Errors: r.Errors, Latency: r.Latency,
	}
	for _, v := range r.Failed() {
		if verdict.ShowsOverload(v.Metric) {
			s.Failed = append(s.Failed, v)
		}
	}
	return s
}

func (s *Saturation) add(step SaturationStep) {
	s.Steps = append(s.Steps, step)
	switch {
	case len(step.Failed) == 0 && (s.Passed == nil || s.Passed.Scale < step.Scale):
		s.Passed = &step
	case len(step.Failed) > 0 && (s.Failed == nil || s.Failed.Scale > step.Scale):
		s.Failed = &step
	}
}

// next returns the rate multiple of the next step.
func (s *Saturation) next() float64 {
	switch {
	case s.Failed == nil:
		return 2 * s.Passed.Scale
	case s.Passed == nil:
		return s.Failed.Scale / 2
	}
	return (s.Passed.Scale + s.Failed.Scale) / 2
}
