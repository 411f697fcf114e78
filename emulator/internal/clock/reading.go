package clock

import (
	"math"
	"time"
)

// reading is how a clock's time follows from the machine's, until it is changed.
type reading struct {
	base    time.Time     // the clock's time at elapsed
	wall    time.Duration // of the machine, at base
	elapsed time.Duration // of the machine, at base
	speed   float64
	moving  bool
}

// jump is how far the machine's wall clock must be ahead of the time that it says went by for the clock to follow it:
// the machine slept, or its clock was set.
const jump = time.Second

// at is the clock's time when the machine's is elapsed.
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

// overslept says whether the machine's wall clock ran away from the time that went by.
func (r *reading) overslept(wall, elapsed time.Duration) bool {
	return r.moving && r.speed == 1 && (wall-r.wall)-(elapsed-r.elapsed) > jump
}

// from is a reading that goes on where r is.
func (r *reading) from(wall, elapsed time.Duration) reading {
	next := *r
	next.base, next.wall, next.elapsed = r.at(elapsed), wall, elapsed
	if r.overslept(wall, elapsed) {
		next.base = next.base.Add((wall - r.wall) - (elapsed - r.elapsed))
	}
	return next
}

// wait is how long the machine takes for d of the clock; a moment too long rather than too short.
func (r *reading) wait(d time.Duration) time.Duration {
	if r.speed == 1 || d <= 0 {
		return max(d, 0)
	}
	return scaled(d, 1/r.speed) + 1
}

// scaled is d times factor, or the longest duration if that is longer.
func scaled(d time.Duration, factor float64) time.Duration {
	const longest = math.MaxInt64 - 1
	if f := float64(d) * factor; f < longest {
		return time.Duration(f)
	}
	return longest
}
