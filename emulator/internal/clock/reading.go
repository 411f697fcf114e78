package clock

import (
	"math"
	"time"
)

// reading determines a clock's time from the machine's, until it is changed.
type reading struct {
	base    time.Time     // the clock's time at elapsed
	wall    time.Duration // machine's wall clock at base
	elapsed time.Duration // machine's monotonic clock at base
	speed   float64
	moving  bool
}

// jump is how far the machine's wall clock must be ahead of its monotonic clock for the clock to follow it: the machine
// slept, or its clock was set.
const jump = time.Second

// at returns the clock's time when the machine's monotonic clock is elapsed.
func (r *reading) at(elapsed time.Duration) time.Time {
	switch passed := elapsed - r.elapsed; {
	case !r.moving:
		return r.base
	case r.speed == 1:
		return r.base.Add(passed)
	default:
		return r.base.Add(scaled(passed, r.speed))
	}
}

// machineSlept reports whether the machine's wall clock is ahead of its monotonic clock.
func (r *reading) machineSlept(wall, elapsed time.Duration) bool {
	return r.moving && r.speed == 1 && (wall-r.wall)-(elapsed-r.elapsed) > jump
}

// from returns a reading that continues r from the machine's present time.
func (r *reading) from(wall, elapsed time.Duration) reading {
	next := *r
	next.base, next.wall, next.elapsed = r.at(elapsed), wall, elapsed
	if r.machineSlept(wall, elapsed) {
		next.base = next.base.Add((wall - r.wall) - (elapsed - r.elapsed))
	}
	return next
}

// wait returns how long the machine takes for d of the clock, rounded up.
func (r *reading) wait(d time.Duration) time.Duration {
	if r.speed == 1 || d <= 0 {
		return max(d, 0)
	}
	return scaled(d, 1/r.speed) + 1
}

// scaled returns d times factor, at most the longest duration.
func scaled(d time.Duration, factor float64) time.Duration {
	const longest = math.MaxInt64 - 1
	if f := float64(d) * factor; f < longest {
		return time.Duration(f)
	}
	return longest
}
