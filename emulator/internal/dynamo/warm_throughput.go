package dynamo

import (
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/capacity"
)

// warmThroughput is what a table or an index can do in a second at once. It never falls ("Understanding DynamoDB warm
// throughput").
type warmThroughput struct{ Reads, Writes int64 }

// What a table on demand begins with.
const initialReads, initialWrites = 12_000, 4_000

// WarmThroughputInput is the warm throughput of a table or an index, in units per second.
type WarmThroughputInput struct {
	ReadUnitsPerSecond  *int64
	WriteUnitsPerSecond *int64
}

type warmThroughputDescription struct {
	ReadUnitsPerSecond, WriteUnitsPerSecond int64
	Status                                  string
}

// empty says whether a request has nothing to say of warm throughput. The service fails with an internal error where an
// update has an object without members (observed on AWS, 2026); here that is as if it were absent.
func (in *WarmThroughputInput) empty() bool {
	return in == nil || in.ReadUnitsPerSecond == nil && in.WriteUnitsPerSecond == nil
}

// warm is what a request asks for, 0 where it does not say.
func (in *WarmThroughputInput) warm() warmThroughput {
	if in == nil {
		return warmThroughput{}
	}
	return warmThroughput{orZero(in.ReadUnitsPerSecond), orZero(in.WriteUnitsPerSecond)}
}

// raised is the higher of both, reads and writes each.
func (w warmThroughput) raised(to warmThroughput) warmThroughput {
	return warmThroughput{max(w.Reads, to.Reads), max(w.Writes, to.Writes)}
}

// least is what a table or an index has without having done or been given anything else.
func least(billing string, u throughput) warmThroughput {
	if billing == onDemand {
		return warmThroughput{initialReads, initialWrites}
	}
	return warmThroughput{u.ReadCapacityUnits, u.WriteCapacityUnits}
}

// raiseWarm brings the warm throughput of a table and its indexes up to its capacity. A changed definition shares its
// indexes with the one before, which others read meanwhile: it gets its own.
func (def *definition) raiseWarm() {
	def.Warm = def.Warm.raised(least(def.BillingMode, def.Throughput))
	def.Global = slices.Clone(def.Global)
	for i := range def.Global {
		x := &def.Global[i]
		x.Warm = x.Warm.raised(least(def.BillingMode, x.Throughput))
	}
}

func (w warmThroughput) units() capacity.Units {
	return capacity.Units{Read: float64(w.Reads), Write: float64(w.Writes)}
}

// describeWarm tells of the warm throughput, which may have grown with the load.
func (s *stats) describeWarm(w warmThroughput) *warmThroughputDescription {
	grown := s.meter.Warm()
	w = w.raised(warmThroughput{int64(grown.Read), int64(grown.Write)})
	return &warmThroughputDescription{w.Reads, w.Writes, active}
}

// warmError is a refusal of units a second, for reads or writes of a table or an index.
func warmError(member, what, why string) *Error {
	return parameterError("Requested " + member + " for WarmThroughput for " + what + " is lower than " + why)
}

// checkNewWarm is for a table or an index that is new. what is "table", or "index" and its name.
func checkNewWarm(in *WarmThroughputInput, billing string, u *ProvisionedThroughputInput, what string) error {
	if in.empty() || billing == provisioned && u == nil {
		return nil
	}
	floor := least(billing, u.throughput())
	reads, writes := "ReadCapacityUnits of ProvisionedThroughput", "WriteCapacityUnits of ProvisionedThroughput"
	if billing == onDemand {
		reads = "initial throughput for OnDemand. See: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html#on-demand-capacity-mode-initial"
		writes = reads
	}
	return in.atLeast(floor, what, reads, writes)
}

// atLeast refuses units below a floor.
func (in *WarmThroughputInput) atLeast(floor warmThroughput, what, reads, writes string) error {
	if in.ReadUnitsPerSecond != nil && *in.ReadUnitsPerSecond < floor.Reads {
		return warmError("ReadUnitsPerSecond", what, reads)
	}
	if in.WriteUnitsPerSecond != nil && *in.WriteUnitsPerSecond < floor.Writes {
		return warmError("WriteUnitsPerSecond", what, writes)
	}
	return nil
}

// updateWarm raises the warm throughput of the table and its indexes as far as the request asks.
func (u *tableUpdate) updateWarm() error {
	var err error
	if u.new.Warm, err = u.in.WarmThroughput.from(u.old.Warm, "table"); err != nil {
		return err
	}
	for _, in := range u.in.GlobalSecondaryIndexUpdates {
		at := indexAt(u.new.Global, in.index())
		if in.Update == nil || at < 0 {
			continue
		}
		x := &u.new.Global[at]
		if x.Warm, err = in.Update.WarmThroughput.from(x.Warm, "index "+x.Name); err != nil {
			return err
		}
	}
	return nil
}

// from is the warm throughput after a request to change it.
func (in *WarmThroughputInput) from(was warmThroughput, what string) (warmThroughput, error) {
	if in == nil {
		return was, nil
	}
	const falls = "current WarmThroughput, decreasing WarmThroughput is not supported"
	return was.raised(in.warm()), in.atLeast(was, what, falls, falls)
}
