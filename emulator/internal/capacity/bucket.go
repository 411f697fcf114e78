package capacity

// bucket is capacity that comes at a rate and is kept up to some amount. What is admitted beyond what is there is owed:
// the balance is negative until the rate has paid for it.
type bucket struct {
	rate    float64 // units a second; 0 is no limit
	most    float64 // units that are kept
	balance float64
	at      int64 // nanoseconds since 1970, when the balance was that
}

// dust is what arithmetic may leave of nothing.
const dust = 1e-6

// open says whether the bucket admits a request.
func (b *bucket) open(now int64) bool {
	if b.rate == 0 {
		return true
	}
	b.fill(now)
	return b.balance > dust
}

func (b *bucket) fill(now int64) {
	if now <= b.at {
		return
	}
	b.balance = min(b.most, b.balance+b.rate*float64(now-b.at)/1e9)
	b.at = now
}

// spend takes units, or gives them back if they are negative.
func (b *bucket) spend(units float64) {
	if b.rate != 0 {
		b.balance = min(b.most, b.balance-units)
	}
}

// set changes the rate and for how many seconds it is kept. What was saved or owed stays, as far as it fits; of what
// there is more a second, one second's is there at once, as in a bucket that had no rate.
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
