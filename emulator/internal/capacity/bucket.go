package capacity

// bucket is a token bucket. What is admitted beyond the tokens that are there makes the balance negative, until the
// rate has paid for it.
type bucket struct {
	rate    float64 // units per second; 0 is no limit
	most    float64 // the largest balance, in units
	balance float64
	at      int64 // the time of the balance, in nanoseconds since 1970
}

// tolerance is what rounding errors may leave of a balance of zero.
const tolerance = 1e-6

// open reports whether the bucket admits a request.
func (b *bucket) open(now int64) bool {
	if b.rate == 0 {
		return true
	}
	b.fill(now)
	return b.balance > tolerance
}

func (b *bucket) fill(now int64) {
	if now <= b.at {
		return
	}
	b.balance = min(b.most, b.balance+b.rate*float64(now-b.at)/1e9)
	b.at = now
}

// spend takes units, or returns them if they are negative.
func (b *bucket) spend(units float64) {
	if b.rate != 0 {
		b.balance = min(b.most, b.balance-units)
	}
}

// set changes the rate, and for how many seconds unused units are kept. The balance or debt stays, up to the new
// maximum. If the rate rises, one second of the difference is available at once, as in a bucket that had no rate.
func (b *bucket) set(now int64, rate, seconds float64) {
	if b.rate == 0 {
		*b = bucket{rate: rate, most: rate * seconds, balance: rate, at: now}
		return
	}
	b.fill(now)
	more := max(0, rate-b.rate)
	b.rate, b.most = rate, rate*seconds
	b.balance = min(b.most, b.balance+more)
}
