package lag

import (
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/random"
)

// Kind is where a write becomes visible, which determines its delays.
type Kind int

// The kinds of delays.
const (
	Table  Kind = iota // the replicas of a table, and of its local indexes
	Index              // a global index
	Region             // a replica of a global table in another region
)

// MaxDelay is the longest delay of any write.
const MaxDelay = 5 * time.Second

// quantile is the delay that a share of all writes does not exceed.
type quantile struct {
	share float64
	delay time.Duration
}

// quantiles returns the distribution of a kind's delays, shortest first.
func (k Kind) quantiles() [6]quantile {
	if k == Index {
		return [6]quantile{{0, time.Millisecond}, {0.5, 20 * time.Millisecond}, {0.9, 100 * time.Millisecond},
			{0.99, 500 * time.Millisecond},
			{0.999, 2 * time.Second}, {1, MaxDelay}}
	}
	if k == Region { // "usually within a second" (AWS, "Best practices for using global tables")
		return [6]quantile{{0, 150 * time.Millisecond}, {0.5, 500 * time.Millisecond}, {0.9, 900 * time.Millisecond},
			{0.99, 1500 * time.Millisecond}, {0.999, 3 * time.Second}, {1, MaxDelay}}
	}
	return [6]quantile{{0, time.Millisecond}, {0.5, 4 * time.Millisecond}, {0.9, 10 * time.Millisecond},
		{0.99, 50 * time.Millisecond},
		{0.999, 200 * time.Millisecond}, {1, time.Second}}
}

// delay returns the delay at a quantile in [0, 1), interpolated linearly between the given ones.
func (k Kind) delay(share float64) time.Duration {
	points := k.quantiles()
	for i := 1; i < len(points); i++ {
		from, to := points[i-1], points[i]
		if share < to.share {
			part := (share - from.share) / (to.share - from.share)
			return from.delay + time.Duration(part*float64(to.delay-from.delay))
		}
	}
	return points[len(points)-1].delay
}

// rng generates random numbers in [0, 1) from a seed.
type rng uint64

func (d *rng) next() float64 {
	*d += random.Step
	return float64(random.Mix(uint64(*d))>>11) / (1 << 53)
}
