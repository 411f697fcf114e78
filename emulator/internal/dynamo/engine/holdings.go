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
		Bytes: t.StoredBytes(), Replicated: t.Def.Replication != nil,
	}
	for _, x := range t.Def.Global {
		h.Reads += x.Throughput.ReadCapacityUnits
		h.Writes += x.Throughput.WriteCapacityUnits
		h.IndexWrites += x.Throughput.WriteCapacityUnits
	}
	h.InsightRules = t.Def.Insights.rules(&t.Keys)
	for i, x := range t.Def.Global {
		h.InsightRules += x.Insights.rules(&t.Indexes[i].Keys)
	}
	if t.Def.Recovery != nil {
		h.RecoveryBytes = t.Stats.Bytes.Load()
		for _, x := range t.Indexes {
			if x.Local {
				h.RecoveryBytes += x.Stats.Bytes.Load()
			}
		}
	}
	return h
}

// StoredBytes returns the size of the items and of their copies in indexes.
func (t *Table) StoredBytes() int64 {
	sum := int64(0)
	for _, stats := range t.AllStats() {
		sum += stats.Bytes.Load()
	}
	return sum
}
