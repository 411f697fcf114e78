package engine

// PartitionBounds returns the first key of each partition of a table, without the prefix that all its keys share. The
// first one is empty.
func (a *Account) PartitionBounds(t *Table) [][]byte {
	if t == nil || t.Stats.Meter == nil {
		return [][]byte{{}}
	}
	all := t.Stats.Meter.Partitions(a.Engine.Clock.Now())
	bounds := make([][]byte, len(all))
	for i, p := range all {
		bounds[i] = append([]byte{}, p.Lo...)
	}
	return bounds
}
