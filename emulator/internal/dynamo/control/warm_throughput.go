package control

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// WarmThroughputInput is the warm throughput of a table or an index, in units per second.
type WarmThroughputInput struct {
	ReadUnitsPerSecond  *int64
	WriteUnitsPerSecond *int64
}

type warmThroughputDescription struct {
	ReadUnitsPerSecond, WriteUnitsPerSecond int64
	Status                                  string
}

// Empty reports whether the request sets no warm throughput. The service answers an UpdateTable that has an object
// without members with an internal error (observed on AWS, 2026); the emulator treats it as absent.
func (in *WarmThroughputInput) Empty() bool {
	return in == nil || in.ReadUnitsPerSecond == nil && in.WriteUnitsPerSecond == nil
}

// warm returns the requested warm throughput, 0 where it is not set.
func (in *WarmThroughputInput) warm() engine.WarmThroughput {
	if in == nil {
		return engine.WarmThroughput{}
	}
	return engine.WarmThroughput{Reads: wire.OrZero(in.ReadUnitsPerSecond), Writes: wire.OrZero(in.WriteUnitsPerSecond)}
}

// describeWarm describes the warm throughput, which may have grown with the load.
func describeWarm(s *engine.Stats, w engine.WarmThroughput) *warmThroughputDescription {
	grown := s.Meter.Warm()
	w = w.Max(engine.WarmThroughput{Reads: int64(grown.Read), Writes: int64(grown.Write)})
	return &warmThroughputDescription{w.Reads, w.Writes, engine.Active}
}

// warmError returns the error for too few units per second of a table or an index.
func warmError(member, what, why string) *wire.Error {
	return wire.ParameterError("Requested " + member + " for WarmThroughput for " + what + " is lower than " + why)
}

// checkNewWarm checks the warm throughput of a new table or index. what is "table", or "index" and its name.
func checkNewWarm(in *WarmThroughputInput, billing string, u *ProvisionedThroughputInput, what string) error {
	if in.Empty() || billing == engine.Provisioned && u == nil {
		return nil
	}
	floor := engine.BaselineWarmThroughput(billing, u.Throughput())
	reads, writes := "ReadCapacityUnits of ProvisionedThroughput", "WriteCapacityUnits of ProvisionedThroughput"
	if billing == engine.OnDemand {
		reads = "initial throughput for OnDemand. See: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html#on-demand-capacity-mode-initial"
		writes = reads
	}
	return in.atLeast(floor, what, reads, writes)
}

// atLeast returns an error for units below a floor.
func (in *WarmThroughputInput) atLeast(floor engine.WarmThroughput, what, reads, writes string) error {
	if in.ReadUnitsPerSecond != nil && *in.ReadUnitsPerSecond < floor.Reads {
		return warmError("ReadUnitsPerSecond", what, reads)
	}
	if in.WriteUnitsPerSecond != nil && *in.WriteUnitsPerSecond < floor.Writes {
		return warmError("WriteUnitsPerSecond", what, writes)
	}
	return nil
}

// updateWarm raises the warm throughput of the table and its indexes as requested.
func (u *tableUpdate) updateWarm() error {
	var err error
	if u.new.Warm, err = u.in.WarmThroughput.from(u.old.Warm, "table"); err != nil {
		return err
	}
	for _, in := range u.in.GlobalSecondaryIndexUpdates {
		at := engine.IndexAt(u.new.Global, in.index())
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

// from returns the warm throughput after the request.
func (in *WarmThroughputInput) from(was engine.WarmThroughput, what string) (engine.WarmThroughput, error) {
	if in == nil {
		return was, nil
	}
	const falls = "current WarmThroughput, decreasing WarmThroughput is not supported"
	return was.Max(in.warm()), in.atLeast(was, what, falls, falls)
}
