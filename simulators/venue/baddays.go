package venue

import (
	"cmp"
	"context"
	"math/rand/v2"
	"time"

	"github.com/tabletop-db/tabletop/simulators/pushgateway"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// BadDays has the push service fail now and then, for a request or two: as busy, as broken, or for single messages. It
// is a sim.Actor. Whoever sends gets over that by trying again.
type BadDays struct {
	Gateway *pushgateway.Gateway
	Seed    uint64
	At      time.Duration // the first
	Every   time.Duration // they are on multiples of it later, 4 to 23
	Last    time.Duration // none is later than this

	Services []string // that fail, one at a time; Expo alone when there are none
	Longest  int      // requests in a row that fail, at most; 2 when 0. Of many, whoever sends has to come back later

	arrived int // messages, when it failed last
}

// Next is the next moment at which the service fails.
func (b *BadDays) Next() (time.Duration, bool) { return b.At, b.At <= b.Last }

// Act has the next requests to the push service fail, once it is over the last failure: senders try a few times alone.
func (b *BadDays) Act(context.Context) error {
	r := sim.Dice(b.Seed, forBadDays, uint64(b.At))
	b.At += b.Every * time.Duration(4+r.IntN(20))
	arrived := len(b.Gateway.Deliveries(0, 0))
	if arrived == b.arrived {
		return nil
	}
	b.arrived = arrived
	return b.Gateway.Fail(b.fault(r))
}

func (b *BadDays) fault(r *rand.Rand) pushgateway.Fault {
	faults := []pushgateway.Fault{{Status: 503}, {Status: 429}}
	service := pushgateway.Expo
	if len(b.Services) > 0 {
		service = sim.Pick(r, b.Services)
	}
	if service == pushgateway.Expo {
		faults = append(faults, pushgateway.Fault{Code: "MessageRateExceeded"})
	}
	fault := sim.Pick(r, faults)
	fault.Service, fault.Times = service, 1+r.IntN(cmp.Or(b.Longest, 2))
	return fault
}

// forBadDays keeps these rolls from those of simulations, which have small numbers for their purposes.
const forBadDays = 1<<32 + 1

// NoPause is a Wait of senders and backends for which no time passes: while the clock stands still, none does.
func NoPause(ctx context.Context, _ time.Duration) error { return ctx.Err() }
