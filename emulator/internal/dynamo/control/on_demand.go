package control

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// unlimited is the value that removes a maximum.
const unlimited = -1

// Empty reports whether the request sets no maximum. The service answers an UpdateTable that has an object without
// members with an internal error (nubo-db/dynoxide, 2026-07); the emulator treats it as absent.
func (in *OnDemandThroughputInput) Empty() bool {
	return in == nil || in.MaxReadRequestUnits == nil && in.MaxWriteRequestUnits == nil
}

// Apply returns the previous maximums with those that the request sets changed.
func (in *OnDemandThroughputInput) Apply(current engine.OnDemandThroughput) engine.OnDemandThroughput {
	if in == nil {
		return current
	}
	return engine.OnDemandThroughput{Reads: newMaximum(in.MaxReadRequestUnits, current.Reads),
		Writes: newMaximum(in.MaxWriteRequestUnits, current.Writes)}
}

func newMaximum(requested *int64, current int64) int64 {
	switch {
	case requested == nil:
		return current
	case *requested == unlimited:
		return 0
	}
	return *requested
}

// Describe describes the maximums in the answer to a request that changed them. A maximum that the request removed
// appears as -1.
func (in *OnDemandThroughputInput) Describe(current engine.OnDemandThroughput) *OnDemandThroughputDescription {
	d := &OnDemandThroughputDescription{current.Reads, current.Writes}
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
