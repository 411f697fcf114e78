package sim

import (
	"math"
	"time"
)

// Pace relates simulated to real time. Simulated time never overtakes real time, unless it does not wait at all.
type Pace struct {
	Start     time.Time // of simulated time
	RealStart time.Time // the real time at Start
	Speed     float64   // simulated seconds per real second; +Inf does not wait
}

// Wait returns how long after the real time now the simulation reaches a moment; 0 or less if it has.
func (p Pace) Wait(at time.Duration, now time.Time) time.Duration {
	if math.IsInf(p.Speed, 1) {
		return 0
	}
	paced := time.Duration(float64(at)/p.Speed) - now.Sub(p.RealStart)
	present := p.Start.Add(at).Sub(now)
	if p.Start.After(p.RealStart) { // a start in the future was requested
		return paced
	}
	return max(paced, present)
}

// Rate is the number of requests per second, smoothed over a few seconds. The zero Rate is ready for use.
type Rate struct {
	at       time.Time
	requests int64
	perSec   float64
}

// Update records the number of requests so far, and returns the rate.
func (r *Rate) Update(now time.Time, requests int64) float64 {
	if passed := now.Sub(r.at).Seconds(); !r.at.IsZero() && passed > 0 {
		current := float64(requests-r.requests) / passed
		r.perSec += (current - r.perSec) * min(1, passed/2)
	}
	r.at, r.requests = now, requests
	return r.perSec
}
