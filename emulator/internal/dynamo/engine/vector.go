package engine

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// VectorDefinition is a vector index of a table.
type VectorDefinition struct {
	Name       string
	ID         uint32
	Attribute  string                // holds the vectors
	Schema     []SearchSchemaElement `json:",omitempty"`
	Projection Projection
	Dimensions int64
	Distance   string // COSINE, DOT_PRODUCT or EUCLIDEAN

	Backfilling bool // existing items are still being added
}

// SearchSchemaElement is an attribute that restricts searches: HASH, which every search must specify, or INLINE_FILTER.
type SearchSchemaElement struct{ AttributeName, SearchSchemaElementType string }

// VectorAt returns the position of the vector index with that name, -1 if there is none.
func VectorAt(indexes []VectorDefinition, name string) int {
	return slices.IndexFunc(indexes, func(x VectorDefinition) bool { return x.Name == name })
}

// VectorIndex is a vector index as item operations use it. Its entries have the keys of the table's items and the
// attributes that the index projects. An entry stores the vector as a binary of big-endian float32s, so that its size
// is the size that the service bills: 4 bytes for each dimension (paritysuite, 2026-10-09).
type VectorIndex struct {
	Name       string
	ID         uint32
	Attribute  string
	Dimensions int
	Distance   string
	Hash       *KeyAttribute  // nil: none
	Filters    []KeyAttribute // the INLINE_FILTER attributes
	// ProjectsVector means that a search can return the vectors.
	ProjectsVector bool
	projectsAll    bool
	attributes     []string // projected, sorted; without the vector
	Backfilling    bool     // items older than the index are still being added
	Stats          *Stats
}

// Vector returns the vector index of that name.
func (t *Table) Vector(name string) (*VectorIndex, bool) {
	for _, x := range t.Vectors {
		if x.Name == name {
			return x, true
		}
	}
	return nil, false
}

func (t *Table) newVector(d VectorDefinition, counts func(id uint32) *Stats) *VectorIndex {
	x := &VectorIndex{Name: d.Name, ID: d.ID, Attribute: d.Attribute, Dimensions: int(d.Dimensions),
		Distance: d.Distance, projectsAll: d.Projection.ProjectionType == "ALL", Backfilling: d.Backfilling,
		Stats: counts(d.ID)}
	x.ProjectsVector = x.projectsAll || slices.Contains(d.Projection.NonKeyAttributes, d.Attribute)
	x.attributes = slices.Concat(t.Keys.Names(), d.Projection.NonKeyAttributes)
	for _, e := range d.Schema {
		a := KeyAttribute{Name: e.AttributeName, Type: t.Def.attributeType(e.AttributeName)}
		if e.SearchSchemaElementType == "HASH" {
			x.Hash = &a
		} else {
			x.Filters = append(x.Filters, a)
		}
		x.attributes = append(x.attributes, a.Name)
	}
	slices.Sort(x.attributes)
	x.attributes = slices.DeleteFunc(slices.Compact(x.attributes), func(n string) bool { return n == x.Attribute })
	return x
}

// CheckItem returns an error for an item with a value that the index does not accept. (Messages: nubo-db/dynamodb-
// conformance, eu-west-2, 2026-08-11; nubo-db/dynoxide, eu-west-2 and us-east-1, 2026-08-12 and 2026-08-13.)
func (x *VectorIndex) CheckItem(it item.Value) error {
	if v, ok := it.Field(x.Attribute); ok {
		if err := x.checkVector(v); err != nil {
			return err
		}
	}
	if err := x.checkSchema(it, x.Hash); err != nil {
		return err
	}
	for i := range x.Filters {
		if err := x.checkSchema(it, &x.Filters[i]); err != nil {
			return err
		}
	}
	return nil
}

// CheckUpdated is CheckItem for the attributes that an update changes only: an item older than the index may contain
// other values that the index does not accept. (nubo-db/dynoxide, eu-west-2 and us-east-1, 2026-08-13.)
func (x *VectorIndex) CheckUpdated(old, it item.Value) error {
	changed := func(name string) (item.Value, bool) {
		previous, _ := old.Field(name)
		v, ok := it.Field(name)
		return v, ok && (previous == nil || !item.Equal(previous, v))
	}
	if v, ok := changed(x.Attribute); ok {
		if err := x.checkVector(v); err != nil {
			return err
		}
	}
	if x.Hash != nil {
		if v, ok := changed(x.Hash.Name); ok && x.Hash.Type != item.Number && v.Type() == x.Hash.Type &&
			len(v.Bytes()) == 0 {
			return wire.EmptyKeyError("The update expression attempted to update a secondary index key to a value that is " +
				"not supported. The AttributeValue for a key attribute cannot contain an empty " + EmptyKind(v.Type()) +
				" value.")
		}
		if _, ok := changed(x.Hash.Name); ok {
			if err := x.checkSchema(it, x.Hash); err != nil {
				return err
			}
		}
	}
	for i := range x.Filters {
		if _, ok := changed(x.Filters[i].Name); ok {
			if err := x.checkSchema(it, &x.Filters[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

func invalidVector(format string, args ...any) error {
	return wire.ValidationError("One or more parameter values were invalid. " + fmt.Sprintf(format, args...))
}

// checkVector returns an error for a vector of another type or with another number of dimensions. No recording shows
// which of two mistakes is reported first.
func (x *VectorIndex) checkVector(v item.Value) error {
	if v.Type() != item.List {
		return invalidVector("Invalid type for parameter %s, Expected: 32-bit floating point number list IndexName: %s",
			x.Attribute, x.Name)
	}
	if n := v.Len(); n != x.Dimensions {
		return invalidVector("Invalid size for parameter %s, Expected: %d, Actual: %d IndexName: %s", x.Attribute,
			x.Dimensions, n, x.Name)
	}
	i := 0
	for e := range v.Elements() {
		if e.Type() != item.Number {
			return invalidVector("Invalid type for parameter %s[%d], Expected: 32-bit floating point number, Actual: %s. "+
				"IndexName: %s", x.Attribute, i, e.Type(), x.Name)
		}
		if _, ok := Float32(e); !ok {
			return invalidVector("Invalid value for parameter %s[%d], Value: %s is outside valid range "+
				"[-3.4028235E38, 3.4028235E38]. IndexName: %s", x.Attribute, i, exponential(e.Text()), x.Name)
		}
		i++
	}
	return nil
}

// exponential writes a large integer with an exponent, as 1E+39.
func exponential(text string) string {
	sign, digits := "", text
	if rest, negative := strings.CutPrefix(text, "-"); negative {
		sign, digits = "-", rest
	}
	whole, _, _ := strings.Cut(digits, ".")
	mantissa := strings.TrimRight(whole, "0")
	if len(mantissa) > 1 {
		mantissa = mantissa[:1] + "." + mantissa[1:]
	}
	return sign + mantissa + "E+" + strconv.Itoa(len(whole)-1)
}

// checkSchema returns an error for a value of another type in an attribute of the search schema, or for an empty
// partition key. a may be nil.
func (x *VectorIndex) checkSchema(it item.Value, a *KeyAttribute) error {
	if a == nil {
		return nil
	}
	v, ok := it.Field(a.Name)
	switch {
	case !ok:
		return nil
	case v.Type() != a.Type:
		return invalidVector("Attribute '%s' type mismatch. Expected: %s, Actual: %s. IndexName: %s", a.Name, a.Type,
			v.Type(), x.Name)
	case a == x.Hash && a.Type != item.Number && len(v.Bytes()) == 0:
		return wire.EmptyKeyError("A value specified for a secondary index key is not supported. " +
			"The AttributeValue for a key attribute cannot contain an empty " + EmptyKind(a.Type) + " value. IndexName: " +
			x.Name + ", IndexKey: " + a.Name)
	}
	return nil
}

// Float32 returns a number in single precision; ok is false if v is not a number or is out of range.
func Float32(v item.Value) (f float32, ok bool) {
	if v.Type() != item.Number {
		return 0, false
	}
	wide, err := strconv.ParseFloat(v.Text(), 32)
	return float32(wide), err == nil && !math.IsInf(wide, 0)
}

// entry returns the index's entry for an item. It is nil if the item is not in the index: the item lacks the vector or
// the partition key, or it is older than the index and has values that the index does not accept.
func (x *VectorIndex) entry(it item.Value) item.Value {
	if it == nil {
		return nil
	}
	v, ok := it.Field(x.Attribute)
	if !ok || v.Type() != item.List {
		return nil
	}
	vector := make([]byte, 0, 4*x.Dimensions)
	for e := range v.Elements() {
		f, ok := Float32(e)
		if !ok || len(vector) == 4*x.Dimensions {
			return nil
		}
		vector = binary.BigEndian.AppendUint32(vector, math.Float32bits(f))
	}
	if len(vector) < 4*x.Dimensions {
		return nil
	}
	if x.Hash != nil {
		h, ok := it.Field(x.Hash.Name)
		if !ok || x.checkSchema(it, x.Hash) != nil || len(h.Bytes()) == 0 {
			return nil
		}
	}
	packed := item.NewBinary(vector)
	if x.projectsAll {
		return it.With(x.Attribute, packed).KeepSize()
	}
	entries := make([]item.Entry, 0, len(x.attributes)+1)
	for _, name := range x.attributes {
		if v, ok := it.Field(name); ok {
			entries = append(entries, item.Entry{Name: name, Value: v})
		}
	}
	return item.Empty.Merge(entries).With(x.Attribute, packed).KeepSize()
}

// key returns the store key of the entry for the item with a store key of the table.
func (x *VectorIndex) key(table []byte) []byte {
	return append(AppendTablePrefix(make([]byte, 0, len(table)), x.ID), table[KeyPrefixLength:]...)
}

// update applies a change of an item to the index.
func (x *VectorIndex) update(tx *store.Tx, c *Change) error {
	before, after := x.entry(c.Old), x.entry(c.New)
	if before == nil && after == nil || before != nil && after != nil && item.Equal(before, after) {
		return nil // an unchanged entry costs nothing
	}
	key := x.key(c.Key)
	counted, err := countedSize(tx, key, before, x.Backfilling)
	if err != nil {
		return err
	}
	if err := setOrDelete(tx, key, after); err != nil {
		return err
	}
	oldSize, newSize := SizeOf(before), SizeOf(after)
	c.count(x.Stats, counted, newSize)
	c.units.vectors = append(c.units.vectors, vectorBytes{x.Name, VectorBytes(max(oldSize, newSize))})
	return nil
}

// VectorBytes returns the bytes that the service reports for an entry of this size, or for a search of entries of this
// total size: at least 1,024.
func VectorBytes(size int) float64 { return float64(max(size, 1024)) }

// Enter adds an existing item of the table, with its store key, unless a newer write has added it already.
func (x *VectorIndex) Enter(tx *store.Tx, table []byte, it item.Value) error {
	entry := x.entry(it)
	if entry == nil {
		return nil
	}
	key := x.key(table)
	if _, there, err := tx.Get(key); err != nil || there {
		return err
	}
	x.Stats.addOnCommit(tx, entry.ItemSize())
	return tx.Set(key, entry)
}

// billedSize returns the size in bytes by which a write of an item is billed: the item's size, but each dimension of a
// vector counts 4 bytes (paritysuite, eu-west-2 and us-east-1, 2026-10-09).
func (t *Table) billedSize(it item.Value, size int) int {
	for i, x := range t.Vectors {
		if slices.ContainsFunc(t.Vectors[:i], func(y *VectorIndex) bool { return y.Attribute == x.Attribute }) {
			continue
		}
		if v, ok := it.Field(x.Attribute); ok && v.Type() == item.List && v.Len() == x.Dimensions {
			size += 4*x.Dimensions - v.Size()
		}
	}
	return size
}

// vectorBytes is the cost of a change in a vector index.
type vectorBytes struct {
	index string
	bytes float64
}

// addVector adds the cost of a change in a vector index.
func (c *ConsumedCapacity) addVector(x vectorBytes) {
	for i := range c.vectors {
		if c.vectors[i].index == x.index {
			c.vectors[i].bytes += x.bytes
			return
		}
	}
	c.vectors = append(c.vectors, x)
}

// Unpack returns the vector of an entry.
func (x *VectorIndex) Unpack(dst []float32, entry item.Value) []float32 {
	v, _ := entry.Field(x.Attribute)
	for b := v.Bytes(); len(b) >= 4; b = b[4:] {
		dst = append(dst, math.Float32frombits(binary.BigEndian.Uint32(b)))
	}
	return dst
}

// InSchema reports whether an attribute is in the index's search schema.
func (x *VectorIndex) InSchema(attribute string) bool {
	return x.Hash != nil && x.Hash.Name == attribute ||
		slices.ContainsFunc(x.Filters, func(a KeyAttribute) bool { return a.Name == attribute })
}
