package dynamo

import (
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/jsonwrite"
)

// The sizes in bytes that a read and a write unit pay for.
const (
	readUnit  = 4 << 10
	writeUnit = 1 << 10
)

// unitsFor is the number of units of so many bytes each that pay for size, at least one.
func unitsFor(size, unit int) float64 {
	return float64(max(1, (size+unit-1)/unit))
}

// readUnitsFor is what reading so many bytes costs: half if an older state would have done.
func readUnitsFor(size int, consistent bool) float64 {
	if consistent {
		return unitsFor(size, readUnit)
	}
	return unitsFor(size, readUnit) / 2
}

// writeUnits is what a change costs: in the table, and in each index that it changed.
type writeUnits struct {
	table   float64
	indexes []indexUnits
}

type indexUnits struct {
	index *index
	units float64
	key   []byte // of the entry in the store, the new one if it moved
	grown int    // by how many bytes
}

// addIndex charges an index: an entry that stays in its place by the larger of the two images, one that
// moves for both. Size 0 is no entry.
func (u *writeUnits) addIndex(x *index, key []byte, oldSize, newSize int, moved bool) {
	units := unitsFor(max(oldSize, newSize), writeUnit)
	if moved && oldSize > 0 && newSize > 0 {
		units = unitsFor(oldSize, writeUnit) + unitsFor(newSize, writeUnit)
	}
	u.indexes = append(u.indexes, indexUnits{x, units, key, newSize - oldSize})
}

// consumed is a table's part of what a request cost, as it is reported.
type consumed struct {
	tableName string
	table     float64
	indexes   []indexUnits
	// kind is Read or Write where the service tells it too, as it does of transactions.
	kind string
}

func (c *consumed) total() float64 {
	sum := c.table
	for _, x := range c.indexes {
		sum += x.units
	}
	return sum
}

// addIndex adds to an index's units.
func (c *consumed) addIndex(x *index, units float64) {
	for i := range c.indexes {
		if c.indexes[i].index.name == x.name {
			c.indexes[i].units += units
			return
		}
	}
	c.indexes = append(c.indexes, indexUnits{index: x, units: units})
}

// addWrite adds what a change cost.
func (c *consumed) addWrite(w *change) {
	c.table += w.units.table * w.factor()
	for _, x := range w.units.indexes {
		c.addIndex(x.index, x.units)
	}
}

// appendJSON writes ConsumedCapacity, each index apart if that was asked.
func (c *consumed) appendJSON(dst []byte, mode string) []byte {
	dst = append(dst, `{"TableName":`...)
	dst = jsonwrite.AppendString(dst, c.tableName)
	dst = append(dst, ',')
	dst = c.appendUnits(dst, c.total())
	if mode == "INDEXES" {
		dst = append(dst, `,"Table":{`...)
		dst = append(c.appendUnits(dst, c.table), '}')
		dst = c.appendIndexes(dst, `,"LocalSecondaryIndexes":{`, true)
		dst = c.appendIndexes(dst, `,"GlobalSecondaryIndexes":{`, false)
	}
	return append(dst, '}')
}

func (c *consumed) appendIndexes(dst []byte, head string, local bool) []byte {
	first := true
	for _, x := range c.indexes {
		if x.index.local != local {
			continue
		}
		if first {
			dst = append(dst, head...)
		} else {
			dst = append(dst, ',')
		}
		first = false
		dst = jsonwrite.AppendString(dst, x.index.name)
		dst = append(dst, `:{`...)
		dst = append(c.appendUnits(dst, x.units), '}')
	}
	if first {
		return dst
	}
	return append(dst, '}')
}

func (c *consumed) appendUnits(dst []byte, units float64) []byte {
	dst = append(dst, `"CapacityUnits":`...)
	dst = appendFloat(dst, units)
	if c.kind != "" {
		dst = append(append(append(dst, `,"`...), c.kind...), `CapacityUnits":`...)
		dst = appendFloat(dst, units)
	}
	return dst
}

// appendFloat writes a number as the service does, which has no integers among its doubles.
func appendFloat(dst []byte, f float64) []byte {
	n := len(dst)
	dst = strconv.AppendFloat(dst, f, 'f', -1, 64)
	for _, c := range dst[n:] {
		if c == '.' {
			return dst
		}
	}
	return append(dst, ".0"...)
}

// perTable is what a request with several tables cost.
type perTable []*consumed

// of is a table's part.
func (p *perTable) of(name, kind string) *consumed {
	for _, c := range *p {
		if c.tableName == name {
			return c
		}
	}
	c := &consumed{tableName: name, kind: kind}
	*p = append(*p, c)
	return c
}

// appendCapacities writes a ConsumedCapacity for each table.
func appendCapacities(dst []byte, all []*consumed, mode string) []byte {
	dst = append(dst, `,"ConsumedCapacity":[`...)
	for i, c := range all {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = c.appendJSON(dst, mode)
	}
	return append(dst, ']')
}
