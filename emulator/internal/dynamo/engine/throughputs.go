package engine

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"

// AppendThroughputs appends the current throughput settings of each table and global secondary index, in no particular
// order.
func (s *Engine) AppendThroughputs(dst []telemetry.Throughput) []telemetry.Throughput {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.Accounts {
		for _, t := range *a.Tables.Load() {
			dst = t.Def.appendThroughputs(dst, a.Name)
		}
	}
	return dst
}

func (d *Definition) appendThroughputs(dst []telemetry.Throughput, account string) []telemetry.Throughput {
	dst = append(dst, telemetry.Throughput{
		Account: account, Table: d.Name,
		Reads: d.Throughput.ReadCapacityUnits, Writes: d.Throughput.WriteCapacityUnits,
		MaxReads: d.OnDemand.Reads, MaxWrites: d.OnDemand.Writes,
	})
	for _, x := range d.Global {
		dst = append(dst, telemetry.Throughput{
			Account: account, Table: d.Name, Index: x.Name,
			Reads: x.Throughput.ReadCapacityUnits, Writes: x.Throughput.WriteCapacityUnits,
			MaxReads: x.OnDemand.Reads, MaxWrites: x.OnDemand.Writes,
		})
	}
	return dst
}
