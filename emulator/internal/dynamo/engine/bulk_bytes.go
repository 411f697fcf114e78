package engine

// BulkBytes are the bytes that the changes of a bulk operation wrote: items of the table, and entries of its indexes by
// the index's name. An index whose entry did not change is not counted.
type BulkBytes struct {
	Table                  int64
	Local, Global, Vectors map[string]int64
	Units                  float64 // the write units that the changes would have cost
}

// Add adds a change that has run.
func (b *BulkBytes) Add(c *Change) {
	b.Table += int64(c.NewSize)
	b.Units += c.units.table
	for _, x := range c.units.indexes {
		b.Units += x.units
		if x.index.Local {
			addBytes(&b.Local, x.index.Name, x.size)
		} else {
			addBytes(&b.Global, x.index.Name, x.size)
		}
	}
	for _, x := range c.units.vectors {
		addBytes(&b.Vectors, x.index, int(x.bytes))
	}
}

func addBytes(to *map[string]int64, index string, size int) {
	if size == 0 { // the entry was removed
		return
	}
	if *to == nil {
		*to = map[string]int64{}
	}
	(*to)[index] += int64(size)
}
