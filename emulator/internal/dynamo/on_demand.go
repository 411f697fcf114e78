package dynamo

// onDemandThroughput is the ceilings of a table on demand; 0 is none.
type onDemandThroughput struct{ Reads, Writes int64 }

// unlimited is the value that removes a ceiling.
const unlimited = -1

// empty says whether a request has nothing to say of ceilings. The service fails with an internal error where an update has
// an object without members (nubo-db/dynoxide, 2026-07); here that is as if it were absent.
func (in *OnDemandThroughputInput) empty() bool {
	return in == nil || in.MaxReadRequestUnits == nil && in.MaxWriteRequestUnits == nil
}

// merged is what a request leaves of the ceilings that were: it changes them one by one.
func (in *OnDemandThroughputInput) merged(was onDemandThroughput) onDemandThroughput {
	if in == nil {
		return was
	}
	return onDemandThroughput{ceiling(in.MaxReadRequestUnits, was.Reads), ceiling(in.MaxWriteRequestUnits, was.Writes)}
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

// describe tells of ceilings in the answer to a request that changed them: a ceiling that it removed is told once more.
func (in *OnDemandThroughputInput) describe(now onDemandThroughput) *onDemandThroughputDescription {
	d := &onDemandThroughputDescription{now.Reads, now.Writes}
	if in != nil && orZero(in.MaxReadRequestUnits) == unlimited {
		d.MaxReadRequestUnits = unlimited
	}
	if in != nil && orZero(in.MaxWriteRequestUnits) == unlimited {
		d.MaxWriteRequestUnits = unlimited
	}
	if *d == (onDemandThroughputDescription{}) {
		return nil
	}
	return d
}
