package profile

import (
	"maps"
	"time"
)

// autoscaleStep is the smallest autoscale maximum, and the step between autoscale maximums, in RU/s.
const autoscaleStep = 1000

// Shorten returns the profile shortened to this duration (0: unchanged) and with its rates multiplied by scale (0 or 1:
// unchanged). A tenth of the rate runs against a tenth of the devices, so that each device is as busy as documented.
// The limits are not scaled; verdict.Scaled does that.
func (p Profile) Shorten(duration time.Duration, scale float64) Profile {
	p.Stages = append([]Stage(nil), p.Stages...)
	if duration > 0 {
		squeeze := float64(duration) / float64(p.Duration())
		for i, s := range p.Stages {
			p.Stages[i] = s.shortened(squeeze)
		}
	}
	if !p.ScalesBy(scale) {
		return p
	}
	for i, s := range p.Stages {
		p.Stages[i] = s.scaled(scale)
	}
	p.Population = p.scaledPopulation(scale)
	if p.Autoscale > 0 {
		p.Autoscale = max(1, int(float64(p.Autoscale)*scale/autoscaleStep)) * autoscaleStep
	}
	return p
}

// scaledPopulation returns the population with those things scaled that scale with the rate, but never fewer than the
// mix names.
func (p Profile) scaledPopulation(scale float64) Population {
	scaled := maps.Clone(p.Population)
	for name, n := range scaled {
		if of := p.system().population[name]; of.scales {
			least := of.min
			if name == p.system().subject {
				least = max(least, p.highestOnly())
			}
			scaled[name] = max(least, int(float64(n)*scale))
		}
	}
	return scaled
}

// highestOnly returns the highest number of a thing that the mix names, at least 1.
func (p Profile) highestOnly() int {
	n := 1
	for _, part := range p.Mix {
		n = max(n, part.Only)
	}
	return n
}

// ScalesBy reports whether a run at this multiple of the rates differs from the profile as documented.
func (p Profile) ScalesBy(scale float64) bool { return scale > 0 && scale != 1 && p.Unscaled == "" }
