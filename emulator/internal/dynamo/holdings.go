package dynamo

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"

// Holdings appends what each table has now, in no order.
func (s *Service) Holdings(dst []telemetry.Holding) []telemetry.Holding {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.accounts {
		for _, t := range *a.tables.Load() {
			dst = append(dst, t.holding(a.name))
		}
	}
	return dst
}

func (t *table) holding(account string) telemetry.Holding {
	h := telemetry.Holding{
		Account: account, Table: t.def.Name, OnDemand: t.def.BillingMode == onDemand, InfrequentAccess: t.def.Class == "STANDARD_INFREQUENT_ACCESS",
		Reads: t.def.Throughput.ReadCapacityUnits, Writes: t.def.Throughput.WriteCapacityUnits, Bytes: t.stats.bytes.Load(),
	}
	recovered := h.Bytes
	for _, x := range t.indexes {
		size := x.stats.bytes.Load()
		h.Bytes += size
		if x.local {
			recovered += size
		}
	}
	for _, x := range t.def.Global {
		h.Reads += x.Throughput.ReadCapacityUnits
		h.Writes += x.Throughput.WriteCapacityUnits
	}
	if t.def.Recovery != nil {
		h.RecoveryBytes = recovered
	}
	return h
}

// BackupBytes is the size of all backups that users made; those that the service makes of deleted tables are free.
func (s *Service) BackupBytes() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	sum := int64(0)
	for _, a := range s.accounts {
		for _, b := range *a.backups.Load() {
			if b.Type == userBackup {
				sum += b.Bytes
			}
		}
	}
	return sum
}
