package loadtest

import "time"

// Pacer plays the stages of a profile; it is a vegeta.Pacer.
type Pacer []Stage

// Pace returns how long to wait until the next request, given how many were sent in the time since the start, and
// whether all stages are over. It plans by the number of requests, so that one that was late is made up for.
func (p Pacer) Pace(elapsed time.Duration, hits uint64) (wait time.Duration, stop bool) {
	var begin time.Duration
	planned := 0.0
	for _, s := range p {
		length := time.Duration(s.Duration)
		until := planned + s.requests()
		if hits < uint64(whole(until)) {
			due := begin + time.Duration((float64(hits)-planned)/s.Rate*float64(time.Second))
			return max(0, due-elapsed), false
		}
		begin, planned = begin+length, until
	}
	return 0, true
}

// Rate returns the requests a second that are planned at this time since the start.
func (p Pacer) Rate(elapsed time.Duration) float64 {
	if i := p.stage(elapsed); i < len(p) {
		return p[i].Rate
	}
	return 0
}

// stage returns the number of the stage at this time since the start, or len(p) when all are over.
func (p Pacer) stage(elapsed time.Duration) int {
	for i, s := range p {
		if elapsed < time.Duration(s.Duration) {
			return i
		}
		elapsed -= time.Duration(s.Duration)
	}
	return len(p)
}

// Seconds is this many seconds as a duration.
func Seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
