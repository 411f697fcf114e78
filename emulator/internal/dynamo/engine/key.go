package engine

import (
	"encoding/binary"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
)

// A backup's store key is its space, a letter for the description or for the items, and the backup's id. The key of an
// item in it ends as the item's key in its table did.
const (
	BackupMeta  = keyspace.BackupDescription
	BackupItems = keyspace.BackupItems
)

// The first byte of the service's keys; package keyspace documents each space.
const (
	SpaceCatalog     = keyspace.DynamoTables
	spaceCounts      = keyspace.DynamoCounters
	SpaceItems       = keyspace.DynamoItems
	spaceExpiry      = keyspace.DynamoExpiry
	SpaceTokens      = keyspace.DynamoTokens
	SpaceStreams     = keyspace.DynamoStreams
	SpaceBackups     = keyspace.DynamoBackups
	SpaceKeys        = keyspace.DynamoTableKeys
	SpaceLog         = keyspace.Changes // package changelog writes it
	spaceVersions    = keyspace.DynamoVersions
	spaceReplication = keyspace.DynamoReplication
)

// KeyAttribute is a key attribute: its name and type.
type KeyAttribute = expr.KeyAttribute

// KeySchema is the primary key of a table or an index. A table and a local index have one partition key attribute and
// at most one sort key attribute; a global index has up to four of each.
type KeySchema struct {
	expr.KeySchema
	all   []KeyAttribute
	names []string
}

func newKeySchema(hash, sort []KeyAttribute) KeySchema {
	k := KeySchema{KeySchema: expr.KeySchema{Hash: hash, Range: sort}, all: slices.Concat(hash, sort)}
	for _, a := range k.all {
		k.names = append(k.names, a.Name)
	}
	return k
}

// Partition returns the first, and in a table the only, partition key attribute.
func (k *KeySchema) Partition() KeyAttribute { return k.Hash[0] }

// Sort returns the first, and in a table the only, sort key attribute. It has no name if there is no sort key.
func (k *KeySchema) Sort() KeyAttribute {
	if len(k.Range) == 0 {
		return KeyAttribute{}
	}
	return k.Range[0]
}

// Attributes returns the key's attributes: those of the partition key, then those of the sort key. The caller must not
// change the slice.
func (k *KeySchema) Attributes() []KeyAttribute { return k.all }

// Names returns the names of the key's attributes. The caller must not change the slice.
func (k *KeySchema) Names() []string { return k.names }

// MatchesItem reports whether an item has all of the key's attributes with their types, and so is in a sparse index.
func (k *KeySchema) MatchesItem(it item.Value) bool {
	for i := range k.all {
		if v, ok := it.Field(k.all[i].Name); !ok || v.Type() != k.all[i].Type {
			return false
		}
	}
	return true
}

// The size limits of key values, in bytes.
const (
	MaxPartitionKeySize = 2048
	maxSortKeySize      = 1024
)

// maxSize returns the size limit of one of the key's attributes. For an index of several attributes the limit is that
// of each attribute; whether the service limits their sum instead is not recorded.
func (k *KeySchema) maxSize(a KeyAttribute) int {
	if slices.Contains(k.Hash, a) {
		return MaxPartitionKeySize
	}
	return maxSortKeySize
}

// hasValidSizes reports whether an item's key values are neither empty nor too long. The item has them in their types.
func (k *KeySchema) hasValidSizes(it item.Value) bool {
	for _, a := range k.Attributes() {
		v, _ := it.Field(a.Name)
		if n := len(v.Bytes()); a.Type != item.Number && (n == 0 || n > k.maxSize(a)) {
			return false
		}
	}
	return true
}

// CheckItem returns an error, worded for items, if the item cannot be stored under the key.
func (k *KeySchema) CheckItem(it item.Value) error {
	var values [2]item.Value // of a table's key
	for i, a := range k.Attributes() {
		v, ok := it.Field(a.Name)
		if !ok {
			return wire.ParameterError("Missing the key " + a.Name + " in the item")
		}
		if v.Type() != a.Type {
			return wire.ParameterError("Type mismatch for key " + a.Name + " expected: " + a.Type.String() + " actual: " +
				v.Type().String())
		}
		values[i] = v
	}
	return k.checkSizes(values[0], values[1])
}

// ErrKeySchema returns the error for a key that does not match its table's key schema.
func ErrKeySchema() *wire.Error {
	return wire.ValidationError("The provided key element does not match the schema")
}

// CheckKey returns an error, worded for keys, if key does not match the key schema.
func (k *KeySchema) CheckKey(key item.Value) error {
	if !k.MatchesItem(key) || key.Len() != len(k.names) {
		return ErrKeySchema()
	}
	hash, _ := key.Field(k.Partition().Name)
	sort, _ := key.Field(k.Sort().Name)
	return k.checkSizes(hash, sort)
}

// checkSizes checks the sizes of the values of a table's key. There is no sort if the table has no sort key.
func (k *KeySchema) checkSizes(hash, sort item.Value) error {
	partition := k.Partition()
	if err := CheckKeyValue(partition, hash); err != nil {
		return err
	}
	if err := CheckPartitionKeySize(partition, hash); err != nil {
		return err
	}
	if sort == nil || len(k.Range) == 0 {
		return nil
	}
	if err := CheckKeyValue(k.Sort(), sort); err != nil {
		return err
	}
	return CheckSortKeySize(k.Sort(), sort)
}

// CheckPartitionKeySize returns an error for a value of a partition key that is too long.
func CheckPartitionKeySize(a KeyAttribute, v item.Value) error {
	if a.Type != item.Number && len(v.Bytes()) > MaxPartitionKeySize {
		// The missing space is the service's.
		return wire.ParameterError("Size of hashkey has exceeded the maximum size limit of2048 bytes")
	}
	return nil
}

// CheckSortKeySize returns an error for a value of a sort key that is too long.
func CheckSortKeySize(a KeyAttribute, v item.Value) error {
	if a.Type != item.Number && len(v.Bytes()) > maxSortKeySize {
		return wire.ParameterError("Aggregated size of all range keys has exceeded the size limit of 1024 bytes")
	}
	return nil
}

// CheckKeyValue returns an error if v is an empty string or binary.
func CheckKeyValue(a KeyAttribute, v item.Value) error {
	if a.Type == item.Number || len(v.Bytes()) > 0 {
		return nil
	}
	return wire.EmptyKeyError("The AttributeValue for a key attribute cannot contain an empty " +
		EmptyKind(a.Type) + " value. Key: " + a.Name)
}

// EmptyKind returns the word for an empty value of a type in messages.
func EmptyKind(t item.Type) string {
	if t == item.Binary {
		return "binary"
	}
	return "string"
}

// AppendTablePrefix appends the prefix of all keys of a table or an index.
func AppendTablePrefix(dst []byte, id uint32) []byte {
	return binary.BigEndian.AppendUint32(append(dst, SpaceItems), id)
}

// AppendPartitionPrefix appends the prefix of all keys with a partition key: the values of its attributes.
func AppendPartitionPrefix(dst []byte, id uint32, hash ...item.Value) []byte {
	h := item.Hash(hash...)
	dst = append(AppendTablePrefix(dst, id), h[:]...)
	for _, v := range hash {
		dst = item.AppendKey(dst, v)
	}
	return dst
}

// appendPartition appends the prefix of all keys with an item's partition key.
func (k *KeySchema) appendPartition(dst []byte, id uint32, it item.Value) []byte {
	var values [maxKeyAttributes]item.Value
	hash := values[:0]
	for i := range k.Hash {
		v, _ := it.Field(k.Hash[i].Name)
		hash = append(hash, v)
	}
	return AppendPartitionPrefix(dst, id, hash...)
}

// maxKeyAttributes is the most attributes of a partition key, and of a sort key.
const maxKeyAttributes = 4

// appendKey appends the values of an item in key attributes. As no value's key is the prefix of another one's, the byte
// order of the whole is the order by the first attribute, then by the second, and so on.
func appendKey(dst []byte, attributes []KeyAttribute, it item.Value) []byte {
	for i := range attributes {
		v, _ := it.Field(attributes[i].Name)
		dst = item.AppendKey(dst, v)
	}
	return dst
}

// Extract returns the key of an item: its key attributes only.
func (k *KeySchema) Extract(it item.Value) item.Value {
	entries := make([]item.Entry, 0, 2)
	for _, name := range k.names {
		if v, ok := it.Field(name); ok {
			entries = append(entries, item.Entry{Name: name, Value: v})
		}
	}
	return item.NewMap(entries...)
}

// KeySpan returns the range of all keys of a table or an index.
func KeySpan(id uint32) (lo, hi []byte) {
	lo = AppendTablePrefix(nil, id)
	return lo, store.PrefixEnd(lo)
}

func logSpan(id uint32) [2][]byte {
	lo := binary.BigEndian.AppendUint32([]byte{SpaceLog}, id)
	return [2][]byte{lo, store.PrefixEnd(lo)}
}

// CheckItemSize returns an error for an item that is too large for any table.
func CheckItemSize(it item.Value) error {
	// The item size that the service counts is at most twice the stored form, so small items need no exact count.
	if len(it) > MaxItemSize/4 && it.ItemSize() > MaxItemSize {
		return wire.ValidationError("Item size has exceeded the maximum allowed size")
	}
	return nil
}

// CheckItem returns an error if the item does not fit the key schema of the table or of an index.
func (t *Table) CheckItem(it item.Value) error {
	if err := t.Keys.CheckItem(it); err != nil {
		return err
	}
	for _, x := range t.Indexes {
		if err := x.CheckItem(it); err != nil {
			return err
		}
	}
	for _, x := range t.Vectors {
		if err := x.CheckItem(it); err != nil {
			return err
		}
	}
	return nil
}
