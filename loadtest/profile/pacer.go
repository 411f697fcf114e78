package profile

import "time"

// Pacer paces requests by the stages of a profile. It is a vegeta.Pacer.
type Pacer []Stage

// Pace returns how long to wait until the next request, given the number of requests sent since the start, and whether
// all stages are over. It plans by the number of requests, so that it catches up after a late one.
func (p Pacer) Pace(elapsed time.Duration, hits uint64) (wait time.Duration, stop bool) {
	due, stage := p.Due(hits)
	if stage == len(p) {
		return 0, true
	}
	return max(0, due-elapsed), false
}

// Due returns when the request with this number, counted from 0, is due after the start, and the number of its stage.
// For a request that is not planned it returns the end of all stages and len(p).
func (p Pacer) Due(number uint64) (due time.Duration, stage int) {
	planned := 0.0
	for i, s := range p {
		until := planned + s.Requests()
		if number < uint64(wholeRequests(until)) {
			return due + s.due(float64(number)-planned), i
		}
		due, planned = due+time.Duration(s.Duration), until
	}
	return due, len(p)
}

// Rate returns the planned requests per second at this time since the start.
func (p Pacer) Rate(elapsed time.Duration) float64 {
	for _, s := range p {
		if elapsed < time.Duration(s.Duration) {
			return s.rate(elapsed)
		}
		elapsed -= time.Duration(s.Duration)
	}
	return 0
}

// StageAt returns the number of the stage at this time since the start, or len(p) if all stages are over.
func (p Pacer) StageAt(elapsed time.Duration) int {
	for i, s := range p {
		if elapsed < time.Duration(s.Duration) {
			return i
		}
		elapsed -= time.Duration(s.Duration)
	}
	return len(p)
}

// Seconds returns s seconds as a Duration.
func Seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
