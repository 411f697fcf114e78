package throughput

import (
	"math"
	"sync"
	"time"
)

// RateBudget limits the throughput of a physical partition per second. A request is admitted while anything is left of
// the current second. What it costs beyond that is deducted from the following seconds, as in the service ("Request
// rate too large" exceptions: usage is counted each second, and a request that goes over is still served).
type RateBudget struct {
	mu     sync.Mutex
	rate   float64 // request units per second
	second int64   // the second that used counts, in Unix time
	used   float64
}

// NewRateBudget returns an unused budget with a rate in request units per second.
func NewRateBudget(rate float64) *RateBudget { return &RateBudget{rate: rate} }

// SetRate changes the rate from now on.
func (b *RateBudget) SetRate(rate float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rate = rate
}

// Wait returns how long a request must wait until the budget has something left; 0: it may begin.
func (b *RateBudget) Wait(now time.Time) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.advance(now)
	if b.used < b.rate {
		return 0
	}
	seconds := math.Floor(b.used / b.rate) // until the overdraft is paid off
	free := time.Unix(b.second, 0).Add(time.Duration(seconds) * time.Second)
	return max(time.Millisecond, free.Sub(now))
}

// Spend deducts the charge of a request. It returns the used fraction of the second's rate; 1 is all of it.
func (b *RateBudget) Spend(now time.Time, units float64) (normalized float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.advance(now)
	b.used += units
	return b.used / b.rate
}

// advance moves to the current second. Usage beyond the rate of the elapsed seconds is carried over.
func (b *RateBudget) advance(now time.Time) {
	second := now.Unix()
	if passed := second - b.second; passed > 0 {
		b.used = max(0, b.used-float64(passed)*b.rate)
		b.second = second
	}
}
