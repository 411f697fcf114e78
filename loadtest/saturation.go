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
	// Kept is the highest step without a failed limit; nil: there is none.
	Kept *SaturationStep `json:"kept,omitempty"`
	// Broke is the lowest step with a failed limit; nil: there is none.
	Broke *SaturationStep `json:"broke,omitempty"`
}

// SaturationStep is a run of the profile at a multiple of its rates.
type SaturationStep struct {
	Scale      float64          `json:"scale"`      // times the documented rates
	Planned    float64          `json:"planned"`    // requests per second
	Throughput float64          `json:"throughput"` // successful responses per second
	Errors     int64            `json:"errors"`
	Latency    result.Latency   `json:"latency"`
	Missed     []result.Verdict `json:"missed,omitempty"` // limits on latency, rate and failures
}

// least is the smallest multiple of the documented rates that is tried.
const least = 1.0 / 64

// Saturate runs the busiest stage of a profile at its documented rate, then doubles the rate until a limit on latency,
// rate or failures fails (or halves it until none does), and then bisects between the two, with the given number of
// steps at most. Limits on units, sizes and cost do not count, because they say nothing about how much load a target
// handles. Above the documented rate the population stays as documented and is busier, because creating a larger one
// would take longer than the step. done is called after each step. Errors: those of run.
func Saturate(
	p profile.Profile, steps int, run func(p profile.Profile, scale float64) (*result.Report, error), done func(SaturationStep),
) (*Saturation, error) {
	if err := saturable(p); err != nil {
		return nil, err
	}
	s := &Saturation{Profile: p.ID}
	p.Stages = []profile.Stage{p.Stages[p.Peak()]}
	for scale := 1.0; len(s.Steps) < steps && scale >= least; scale = s.next() {
		r, err := run(faster(p, scale), scale)
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

// faster returns the profile with its rates multiplied by scale.
func faster(p profile.Profile, scale float64) profile.Profile {
	population := p.Population
	if p = quick(p, 0, scale); scale > 1 {
		p.Population = population
	}
	return p
}

// saturable returns an error that says why the search does not apply to a profile.
func saturable(p profile.Profile) error {
	if p.Unscaled != "" {
		return fmt.Errorf("%s has a fixed rate: %s", p.ID, p.Unscaled)
	}
	if !slices.ContainsFunc(p.Limits, func(l profile.Limit) bool { return verdict.Breaks(l.Metric) }) {
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
		if verdict.Breaks(v.Metric) {
			s.Missed = append(s.Missed, v)
		}
	}
	return s
}

func (s *Saturation) add(step SaturationStep) {
	s.Steps = append(s.Steps, step)
	switch {
	case len(step.Missed) == 0 && (s.Kept == nil || s.Kept.Scale < step.Scale):
		s.Kept = &step
	case len(step.Missed) > 0 && (s.Broke == nil || s.Broke.Scale > step.Scale):
		s.Broke = &step
	}
}

// next returns the rate multiple of the next step.
func (s *Saturation) next() float64 {
	switch {
	case s.Broke == nil:
		return 2 * s.Kept.Scale
	case s.Kept == nil:
		return s.Broke.Scale / 2
	}
	return (s.Kept.Scale + s.Broke.Scale) / 2
}
