package dynamo

// Holding is what a table has that is paid for by time.
type Holding struct {
	Account string // whose table it is; empty without isolation
	Table   string

	OnDemand         bool
	InfrequentAccess bool  // its class is Standard-Infrequent Access
	Reads, Writes    int64 // provisioned units, with those of its global indexes; 0 on demand
	Bytes            int64 // of items, and of what its indexes have of them
	RecoveryBytes    int64 // of what point-in-time recovery counts: items and local indexes; 0 when it is off
}

// Holdings appends what each table has now, in no order.
func (s *Service) Holdings(dst []Holding) []Holding {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.accounts {
		for _, t := range *a.tables.Load() {
			dst = append(dst, t.holding(a.name))
		}
	}
	return dst
}

func (t *table) holding(account string) Holding {
	h := Holding{
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
