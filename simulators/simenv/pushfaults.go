package simenv

import (
	"cmp"
	"context"
	"math/rand/v2"
	"time"

	"github.com/tabletop-db/tabletop/simulators/pushgateway"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// PushFaults makes the push service fail from time to time, for a request or two: as busy, as broken, or for single
// messages. It is a sim.Actor. Senders succeed by retrying.
type PushFaults struct {
	Gateway *pushgateway.Gateway
	Seed    uint64
	At      time.Duration // time of the first failure
	Every   time.Duration // the next one follows after 4 to 23 times this
	Until   time.Duration // no failure is later

	Services    []string // services that fail, one at a time; default: only Expo
	MaxFailures int      // maximum failed requests in a row; default 2. After many, senders must come back later

	lastDeliveries int // number of messages at the last failure
}

// Next returns the time of the next failure.
func (b *PushFaults) Next() (time.Duration, bool) { return b.At, b.At <= b.Until }

// Act makes the next requests to the push service fail, unless it has not recovered from the last failure: senders make
// only a few attempts.
func (b *PushFaults) Act(context.Context) error {
	r := sim.NewRand(b.Seed, forPushFaults, uint64(b.At))
	b.At += b.Every * time.Duration(4+r.IntN(20))
	deliveries := len(b.Gateway.Deliveries(0, 0))
	if deliveries == b.lastDeliveries {
		return nil
	}
	b.lastDeliveries = deliveries
	return b.Gateway.Fail(b.fault(r))
}

func (b *PushFaults) fault(r *rand.Rand) pushgateway.Fault {
	faults := []pushgateway.Fault{{Status: 503}, {Status: 429}}
	service := pushgateway.Expo
	if len(b.Services) > 0 {
		service = sim.Pick(r, b.Services)
	}
	if service == pushgateway.Expo {
		faults = append(faults, pushgateway.Fault{Code: "MessageRateExceeded"})
	}
	fault := sim.Pick(r, faults)
	fault.Service, fault.Times = service, 1+r.IntN(cmp.Or(b.MaxFailures, 2))
	return fault
}

// forPushFaults keeps this random stream apart from those of simulations, whose purposes have small numbers.
const forPushFaults = 1<<32 + 1

// NoWait is a Wait of senders and backends that returns at once: while the clock stands still, no time passes.
func NoWait(ctx context.Context, _ time.Duration) error { return ctx.Err() }
