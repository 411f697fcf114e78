package dynamo

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"

// Throughputs appends what each table and global secondary index may do now, in no order.
func (s *Service) Throughputs(dst []telemetry.Throughput) []telemetry.Throughput {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.accounts {
		for _, t := range *a.tables.Load() {
			dst = t.def.appendThroughputs(dst, a.name)
		}
	}
	return dst
}

func (d *definition) appendThroughputs(dst []telemetry.Throughput, account string) []telemetry.Throughput {
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
