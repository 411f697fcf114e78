package engine

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"

// Holdings appends the current sizes and provisioned capacity of each table, in no particular order.
func (s *Engine) Holdings(dst []telemetry.Holding) []telemetry.Holding {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.Accounts {
		for _, t := range *a.Tables.Load() {
			dst = append(dst, t.holding(a.Name))
		}
	}
	return dst
}

func (t *Table) holding(account string) telemetry.Holding {
	h := telemetry.Holding{
		Account: account, Table: t.Def.Name, OnDemand: t.Def.BillingMode == OnDemand, InfrequentAccess: t.Def.Class == "STANDARD_INFREQUENT_ACCESS",
		Reads: t.Def.Throughput.ReadCapacityUnits, Writes: t.Def.Throughput.WriteCapacityUnits, Bytes: t.Stats.Bytes.Load(),
	}
	recovered := h.Bytes
	for _, x := range t.Indexes {
		size := x.Stats.Bytes.Load()
		h.Bytes += size
		if x.Local {
			recovered += size
		}
	}
	for _, x := range t.Def.Global {
		h.Reads += x.Throughput.ReadCapacityUnits
		h.Writes += x.Throughput.WriteCapacityUnits
	}
	if t.Def.Recovery != nil {
		h.RecoveryBytes = recovered
	}
	return h
}
