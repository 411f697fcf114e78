package dynamo

// partitions are the first keys of the partitions of a table, without what all its keys begin with; the first is empty.
func (a *account) partitions(t *table) [][]byte {
	if t == nil || t.stats.meter == nil {
		return [][]byte{{}}
	}
	all := t.stats.meter.Partitions(a.service.clock.Now())
	bounds := make([][]byte, len(all))
	for i, p := range all {
		bounds[i] = append([]byte{}, p.Lo...)
	}
	return bounds
}

// partitionsOf are those of a stream's table; of one that is hidden while it is being created, those that it had last.
func (a *account) partitionsOf(st *stream) [][]byte {
	if t := (*a.tables.Load())[st.TableName]; t != nil && t.def.ID == st.Table {
		return a.partitions(t)
	}
	return st.Partitioning[len(st.Partitioning)-1].Bounds
}
