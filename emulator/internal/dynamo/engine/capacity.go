package engine

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/jsonwrite"
)

// The bytes that one read unit and one write unit pay for.
const (
	ReadUnit  = 4 << 10
	writeUnit = 1 << 10
)

// UnitsFor returns the number of units, of unit bytes each, that pay for size bytes; at least one.
func UnitsFor(size, unit int) float64 {
	return float64(max(1, (size+unit-1)/unit))
}

// ReadUnitsFor returns the read units for size bytes. An eventually consistent read costs half.
func ReadUnitsFor(size int, consistent bool) float64 {
	if consistent {
		return UnitsFor(size, ReadUnit)
	}
	return UnitsFor(size, ReadUnit) / 2
}

// writeUnits is the cost of a change: in the table, and in each index that it changed.
type writeUnits struct {
	table   float64
	indexes []indexUnits
	vectors []vectorBytes
}

type indexUnits struct {
	index     *Index
	units     float64
	key       []byte // of the entry in the store; the new one if it moved
	sizeDelta int    // change of the stored size, in bytes
	size      int    // of the new entry, in bytes; 0: there is none
}

// addIndex charges an index. An entry that keeps its key costs the larger of the two images; one that moves costs both.
// Size 0 means no entry.
func (u *writeUnits) addIndex(x *Index, key []byte, oldSize, newSize int, moved bool) {
	units := UnitsFor(max(oldSize, newSize), writeUnit)
	if moved && oldSize > 0 && newSize > 0 {
		units = UnitsFor(oldSize, writeUnit) + UnitsFor(newSize, writeUnit)
	}
	u.indexes = append(u.indexes, indexUnits{x, units, key, newSize - oldSize, newSize})
}

// ConsumedCapacity is the ConsumedCapacity of one table in a response.
type ConsumedCapacity struct {
	TableName string
	Table     float64
	indexes   []indexUnits
	vectors   []vectorBytes
	// Kind is Read or Write where the service also reports the units by kind, as for transactions; empty otherwise.
	Kind string
}

func (c *ConsumedCapacity) total() float64 {
	sum := c.Table
	for _, x := range c.indexes {
		sum += x.units
	}
	return sum
}

// AddIndex adds units to an index.
func (c *ConsumedCapacity) AddIndex(x *Index, units float64) {
	for i := range c.indexes {
		if c.indexes[i].index.Name == x.Name {
			c.indexes[i].units += units
			return
		}
	}
	c.indexes = append(c.indexes, indexUnits{index: x, units: units})
}

// AppendJSON writes ConsumedCapacity, with each index separately in mode INDEXES.
func (c *ConsumedCapacity) AppendJSON(dst []byte, mode string) []byte {
	dst = append(dst, `{"TableName":`...)
	dst = jsonwrite.AppendString(dst, c.TableName)
	dst = append(dst, ',')
	dst = c.appendUnits(dst, c.total())
	if mode == "INDEXES" {
		dst = append(dst, `,"Table":{`...)
		dst = append(c.appendUnits(dst, c.Table), '}')
		dst = c.appendIndexes(dst, `,"LocalSecondaryIndexes":{`, true)
		dst = c.appendIndexes(dst, `,"GlobalSecondaryIndexes":{`, false)
		dst = c.appendVectors(dst)
	}
	return append(dst, '}')
}

func (c *ConsumedCapacity) appendVectors(dst []byte) []byte {
	if len(c.vectors) == 0 {
		return dst
	}
	dst = append(dst, `,"VectorIndexes":{`...)
	for i, x := range c.vectors {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(jsonwrite.AppendString(dst, x.index), `:{"VectorWriteRequestBytes":`...)
		dst = append(wire.AppendFloat(dst, x.bytes), '}')
	}
	return append(dst, '}')
}

func (c *ConsumedCapacity) appendIndexes(dst []byte, head string, local bool) []byte {
	first := true
	for _, x := range c.indexes {
		if x.index.Local != local {
			continue
		}
		if first {
			dst = append(dst, head...)
		} else {
			dst = append(dst, ',')
		}
		first = false
		dst = jsonwrite.AppendString(dst, x.index.Name)
		dst = append(dst, `:{`...)
		dst = append(c.appendUnits(dst, x.units), '}')
	}
	if first {
		return dst
	}
	return append(dst, '}')
}

func (c *ConsumedCapacity) appendUnits(dst []byte, units float64) []byte {
	dst = append(dst, `"CapacityUnits":`...)
	dst = wire.AppendFloat(dst, units)
	if c.Kind != "" {
		dst = append(append(append(dst, `,"`...), c.Kind...), `CapacityUnits":`...)
		dst = wire.AppendFloat(dst, units)
	}
	return dst
}

// ConsumedCapacities is the consumed capacity of a request with several tables.
type ConsumedCapacities []*ConsumedCapacity

// ForTable returns the entry of a table, adding it if there is none.
func (p *ConsumedCapacities) ForTable(name, kind string) *ConsumedCapacity {
	for _, c := range *p {
		if c.TableName == name {
			return c
		}
	}
	c := &ConsumedCapacity{TableName: name, Kind: kind}
	*p = append(*p, c)
	return c
}

// AppendCapacities writes one ConsumedCapacity for each table.
func AppendCapacities(dst []byte, all []*ConsumedCapacity, mode string) []byte {
	dst = append(dst, `,"ConsumedCapacity":[`...)
	for i, c := range all {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = c.AppendJSON(dst, mode)
	}
	return append(dst, ']')
}

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

// Total returns the bytes of the table and all indexes.
func (b *BulkBytes) Total() int64 {
	sum := b.Table
	for _, indexes := range []map[string]int64{b.Local, b.Global, b.Vectors} {
		for _, bytes := range indexes {
			sum += bytes
		}
	}
	return sum
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
