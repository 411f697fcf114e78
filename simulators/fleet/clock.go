package fleet

import (
	"math"
	"time"
)

// clock relates simulated to real time. Simulated time never overtakes real time, unless it does not wait at all.
type clock struct {
	start time.Time // of simulated time
	began time.Time // the real time then
	speed float64   // +Inf does not wait
}

// wait returns how long after the real time now the simulation reaches this moment; 0 or less when it has.
func (c clock) wait(at time.Duration, now time.Time) time.Duration {
	if math.IsInf(c.speed, 1) {
		return 0
	}
	paced := time.Duration(float64(at)/c.speed) - now.Sub(c.began)
	present := c.start.Add(at).Sub(now)
	if c.start.After(c.began) { // a start in the future was asked for
		return paced
	}
	return max(paced, present)
}
