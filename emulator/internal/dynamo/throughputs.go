package dynamo

// Throughput is what a table, or a global secondary index, may do in a second.
type Throughput struct {
	Account string // whose table it is; empty without isolation
	Table   string
	Index   string // empty: the table itself
	// Reads and Writes are the provisioned units; 0 on demand.
	Reads, Writes int64
	// MaxReads and MaxWrites are the ceilings that were set on demand; 0 is none.
	MaxReads, MaxWrites int64
}

// Throughputs appends what each table and global secondary index may do now, in no order.
func (s *Service) Throughputs(dst []Throughput) []Throughput {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.accounts {
		for _, t := range *a.tables.Load() {
			dst = t.def.appendThroughputs(dst, a.name)
		}
	}
	return dst
}

func (d *definition) appendThroughputs(dst []Throughput, account string) []Throughput {
	dst = append(dst, Throughput{
		Account: account, Table: d.Name,
		Reads: d.Throughput.ReadCapacityUnits, Writes: d.Throughput.WriteCapacityUnits,
		MaxReads: d.OnDemand.Reads, MaxWrites: d.OnDemand.Writes,
	})
	for _, x := range d.Global {
		dst = append(dst, Throughput{
			Account: account, Table: d.Name, Index: x.Name,
			Reads: x.Throughput.ReadCapacityUnits, Writes: x.Throughput.WriteCapacityUnits,
			MaxReads: x.OnDemand.Reads, MaxWrites: x.OnDemand.Writes,
		})
	}
	return dst
}
