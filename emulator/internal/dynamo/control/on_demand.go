package control

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// unlimited is the value that removes a ceiling.
const unlimited = -1

// Empty says whether a request has nothing to say of ceilings. The service fails with an internal error where an update
// has an object without members (nubo-db/dynoxide, 2026-07); here that is as if it were absent.
func (in *OnDemandThroughputInput) Empty() bool {
	return in == nil || in.MaxReadRequestUnits == nil && in.MaxWriteRequestUnits == nil
}

// Merged is what a request leaves of the ceilings that were: it changes them one by one.
func (in *OnDemandThroughputInput) Merged(was engine.OnDemandThroughput) engine.OnDemandThroughput {
	if in == nil {
		return was
	}
	return engine.OnDemandThroughput{Reads: ceiling(in.MaxReadRequestUnits, was.Reads), Writes: ceiling(in.MaxWriteRequestUnits, was.Writes)}
}

func ceiling(asked *int64, was int64) int64 {
	switch {
	case asked == nil:
		return was
	case *asked == unlimited:
		return 0
	}
	return *asked
}

// Describe tells of ceilings in the answer to a request that changed them: a ceiling that it removed is told once more.
func (in *OnDemandThroughputInput) Describe(now engine.OnDemandThroughput) *OnDemandThroughputDescription {
	d := &OnDemandThroughputDescription{now.Reads, now.Writes}
	if in != nil && wire.OrZero(in.MaxReadRequestUnits) == unlimited {
		d.MaxReadRequestUnits = unlimited
	}
	if in != nil && wire.OrZero(in.MaxWriteRequestUnits) == unlimited {
		d.MaxWriteRequestUnits = unlimited
	}
	if *d == (OnDemandThroughputDescription{}) {
		return nil
	}
	return d
}
