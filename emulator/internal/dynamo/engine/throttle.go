package engine

import (
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/capacity"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// throttledError returns the service's error for a request that exceeded its throughput.
func throttledError(t *capacity.Throttled) *wire.Error {
	e := throttlingError(t)
	e.Throttling = []wire.ThrottlingReason{{Reason: t.Reason(), Resource: t.Resource.ARN()}}
	return e
}

func throttlingError(t *capacity.Throttled) *wire.Error {
	switch {
	case t.Limit == capacity.AccountLimit:
		return wire.DynamoError("RequestLimitExceeded", wire.AccountLimitExceeded)
	case t.Limit == capacity.MaxOnDemand && t.Index && t.Write:
		// Its type differs from the others (observed on AWS, 2026).
		return wire.DynamoError(wire.ProvisionedThroughputExceeded, wire.MaxOnDemandExceeded)
	case t.Limit == capacity.MaxOnDemand:
		return wire.DynamoError(wire.ThrottlingException, wire.MaxOnDemandExceeded)
	case t.OnDemand && t.Index && t.Write:
		return wire.DynamoError(wire.ThrottlingException, wire.IndexScaling)
	case t.OnDemand:
		return wire.DynamoError(wire.ThrottlingException, wire.TableScaling)
	case t.Index:
		return wire.DynamoError(wire.ProvisionedThroughputExceeded, wire.IndexExceeded)
	}
	return wire.DynamoError(wire.ProvisionedThroughputExceeded, wire.TableExceeded)
}

// AsThrottled returns err as a throttling error, if it is one.
func AsThrottled(err error) (*wire.Error, bool) {
	var e *wire.Error
	ok := errors.As(err, &e) && e.Throttling != nil
	return e, ok
}
