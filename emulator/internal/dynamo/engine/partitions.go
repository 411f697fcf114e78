package engine

// Partitions are the first keys of the partitions of a table, without what all its keys begin with; the first is empty.
func (a *Account) Partitions(t *Table) [][]byte {
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
