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

// toWarmThroughput returns the requested warm throughput, 0 where it is not set.
func (in *WarmThroughputInput) toWarmThroughput() engine.WarmThroughput {
	if in == nil {
		return engine.WarmThroughput{}
	}
	return engine.WarmThroughput{Reads: wire.OrZero(in.ReadUnitsPerSecond), Writes: wire.OrZero(in.WriteUnitsPerSecond)}
}

// describeWarmThroughput describes the warm throughput, which may have grown with the load.
func describeWarmThroughput(s *engine.Stats, w engine.WarmThroughput) *warmThroughputDescription {
	grown := s.Meter.Warm()
	w = w.Max(engine.WarmThroughput{Reads: int64(grown.Read), Writes: int64(grown.Write)})
	return &warmThroughputDescription{w.Reads, w.Writes, engine.Active}
}

// warmThroughputError returns the error for too few units per second of a table or an index.
func warmThroughputError(member, what, reason string) *wire.Error {
	return wire.ParameterError("Requested " + member + " for WarmThroughput for " + what + " is lower than " + reason)
}

// checkNewWarmThroughput checks the warm throughput of a new table or index. what is "table", or "index" and its name.
func checkNewWarmThroughput(in *WarmThroughputInput, billing string, u *ProvisionedThroughputInput, what string) error {
	if in.Empty() || billing == engine.Provisioned && u == nil {
		return nil
	}
	minimum := engine.BaselineWarmThroughput(billing, u.Throughput())
	reads, writes := "ReadCapacityUnits of ProvisionedThroughput", "WriteCapacityUnits of ProvisionedThroughput"
	if billing == engine.OnDemand {
		reads = "initial throughput for OnDemand. See: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html#on-demand-capacity-mode-initial"
		writes = reads
	}
	return in.checkMinimum(minimum, what, reads, writes)
}

// checkMinimum returns an error for units below a minimum.
func (in *WarmThroughputInput) checkMinimum(minimum engine.WarmThroughput, what, reads, writes string) error {
	if in.ReadUnitsPerSecond != nil && *in.ReadUnitsPerSecond < minimum.Reads {
		return warmThroughputError("ReadUnitsPerSecond", what, reads)
	}
	if in.WriteUnitsPerSecond != nil && *in.WriteUnitsPerSecond < minimum.Writes {
		return warmThroughputError("WriteUnitsPerSecond", what, writes)
	}
	return nil
}

// updateWarmThroughput raises the warm throughput of the table and its indexes as requested.
func (u *tableUpdate) updateWarmThroughput() error {
	var err error
	if u.new.Warm, err = u.in.WarmThroughput.applyTo(u.old.Warm, "table"); err != nil {
		return err
	}
	for _, in := range u.in.GlobalSecondaryIndexUpdates {
		at := engine.IndexAt(u.new.Global, in.index())
		if in.Update == nil || at < 0 {
			continue
		}
		x := &u.new.Global[at]
		if x.Warm, err = in.Update.WarmThroughput.applyTo(x.Warm, "index "+x.Name); err != nil {
			return err
		}
	}
	return nil
}

// applyTo returns the warm throughput after the request; current is the one before.
func (in *WarmThroughputInput) applyTo(current engine.WarmThroughput, what string) (engine.WarmThroughput, error) {
	if in == nil {
		return current, nil
	}
	const reason = "current WarmThroughput, decreasing WarmThroughput is not supported"
	return current.Max(in.toWarmThroughput()), in.checkMinimum(current, what, reason, reason)
}
