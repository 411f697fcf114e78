package engine

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"

// AppendTableResources appends the current sizes and provisioned capacity of each table, in no particular order.
func (s *Engine) AppendTableResources(dst []telemetry.TableResources) []telemetry.TableResources {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.Accounts {
		for _, t := range *a.Tables.Load() {
			dst = append(dst, t.resources(a.Name))
		}
	}
	return dst
}

func (t *Table) resources(account string) telemetry.TableResources {
	h := telemetry.TableResources{
		Account: account, Table: t.Def.Name, OnDemand: t.Def.BillingMode == OnDemand,
		InfrequentAccess: t.Def.Class == "STANDARD_INFREQUENT_ACCESS",
		Reads:            t.Def.Throughput.ReadCapacityUnits, Writes: t.Def.Throughput.WriteCapacityUnits,
		Bytes: t.Stats.Bytes.Load(),
	}
	recovered := h.Bytes
	for _, x := range t.Indexes {
		size := x.Stats.Bytes.Load()
		h.Bytes += size
		if x.Local {
			recovered += size
		}
	}
	for _, x := range t.Vectors {
		h.Bytes += x.Stats.Bytes.Load()
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
