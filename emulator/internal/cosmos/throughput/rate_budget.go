package throughput

import (
	"math"
	"sync"
	"time"
)

// RateBudget is what a physical partition may spend: its rate, second by second. A request is let in while anything is
// left of the second; what it costs beyond that is owed by the seconds that follow, as the service has it ("Request
// rate too large" exceptions: usage is counted each second, and a request that goes over is still served).
type RateBudget struct {
	mu     sync.Mutex
	rate   float64 // request units a second
	second int64   // the one that used is of, since 1970
	used   float64
}

// NewRateBudget returns a budget of a rate in request units a second, of which nothing is spent.
func NewRateBudget(rate float64) *RateBudget { return &RateBudget{rate: rate} }

// SetRate changes the rate from now on.
func (b *RateBudget) SetRate(rate float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rate = rate
}

// Wait is how long a request has to wait until something is left; 0: it may begin.
func (b *RateBudget) Wait(now time.Time) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.turn(now)
	if b.used < b.rate {
		return 0
	}
	seconds := math.Floor(b.used / b.rate) // until what is used is paid for
	free := time.Unix(b.second, 0).Add(time.Duration(seconds) * time.Second)
	return max(time.Millisecond, free.Sub(now))
}

// Spend counts what a request cost, and tells which part of the second's rate is used now: 1 is all of it.
func (b *RateBudget) Spend(now time.Time, units float64) (normalized float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.turn(now)
	b.used += units
	return b.used / b.rate
}

// turn begins a new second: what was used beyond the rate of those that passed is still owed.
func (b *RateBudget) turn(now time.Time) {
	second := now.Unix()
	if passed := second - b.second; passed > 0 {
		b.used = max(0, b.used-float64(passed)*b.rate)
		b.second = second
	}
}
