package engine

import (
	"encoding/binary"

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
	SpaceCatalog = keyspace.DynamoTables
	spaceCounts  = keyspace.DynamoCounters
	SpaceItems   = keyspace.DynamoItems
	spaceExpiry  = keyspace.DynamoExpiry
	SpaceTokens  = keyspace.DynamoTokens
	SpaceStreams = keyspace.DynamoStreams
	SpaceBackups = keyspace.DynamoBackups
	SpaceKeys    = keyspace.DynamoTableKeys
	SpaceLog     = keyspace.Changes // package changelog writes it
)

// KeyAttribute is a key attribute: its name and type.
type KeyAttribute struct {
	Name string
	Type item.Type
}

// KeySchema is the primary key of a table or an index. Sort has no name if there is no sort key.
type KeySchema struct{ Partition, Sort KeyAttribute }

// Attributes returns the key's attributes: the partition key and, if there is one, the sort key.
func (k KeySchema) Attributes() []KeyAttribute {
	if k.Sort.Name == "" {
		return []KeyAttribute{k.Partition}
	}
	return []KeyAttribute{k.Partition, k.Sort}
}

// Names returns the names of the key's attributes.
func (k KeySchema) Names() []string {
	if k.Sort.Name == "" {
		return []string{k.Partition.Name}
	}
	return []string{k.Partition.Name, k.Sort.Name}
}

// MatchesItem reports whether an item has the key's attributes with their types, and so is in a sparse index.
func (k KeySchema) MatchesItem(it item.Value) bool {
	if v, ok := it.Field(k.Partition.Name); !ok || v.Type() != k.Partition.Type {
		return false
	}
	if k.Sort.Name == "" {
		return true
	}
	v, ok := it.Field(k.Sort.Name)
	return ok && v.Type() == k.Sort.Type
}

// The size limits of key values, in bytes.
const (
	MaxPartitionKeySize = 2048
	maxSortKeySize      = 1024
)

// maxSize returns the size limit of one of the key's attributes.
func (k KeySchema) maxSize(a KeyAttribute) int {
	if a == k.Partition {
		return MaxPartitionKeySize
	}
	return maxSortKeySize
}

// hasValidSizes reports whether an item's key values are neither empty nor too long. The item has them in their types.
func (k KeySchema) hasValidSizes(it item.Value) bool {
	for _, a := range k.Attributes() {
		v, _ := it.Field(a.Name)
		if n := len(v.Bytes()); a.Type != item.Number && (n == 0 || n > k.maxSize(a)) {
			return false
		}
	}
	return true
}

// CheckItem returns an error, worded for items, if the item cannot be stored under the key.
func (k KeySchema) CheckItem(it item.Value) error {
	for _, a := range k.Attributes() {
		v, ok := it.Field(a.Name)
		if !ok {
			return wire.ParameterError("Missing the key " + a.Name + " in the item")
		}
		if v.Type() != a.Type {
			return wire.ParameterError("Type mismatch for key " + a.Name + " expected: " + a.Type.String() + " actual: " +
				v.Type().String())
		}
	}
	return k.checkSizes(it)
}

// ErrKeySchema returns the error for a key that does not match its table's key schema.
func ErrKeySchema() *wire.Error {
	return wire.ValidationError("The provided key element does not match the schema")
}

// CheckKey returns an error, worded for keys, if key does not match the key schema.
func (k KeySchema) CheckKey(key item.Value) error {
	if !k.MatchesItem(key) || key.Len() != len(k.Names()) {
		return ErrKeySchema()
	}
	return k.checkSizes(key)
}

func (k KeySchema) checkSizes(it item.Value) error {
	hash, _ := it.Field(k.Partition.Name)
	if err := CheckKeyValue(k.Partition, hash); err != nil {
		return err
	}
	if k.Partition.Type != item.Number && len(hash.Bytes()) > MaxPartitionKeySize {
		// The missing space is the service's.
		return wire.ParameterError("Size of hashkey has exceeded the maximum size limit of2048 bytes")
	}
	sort, ok := it.Field(k.Sort.Name)
	if !ok || k.Sort.Name == "" {
		return nil
	}
	if err := CheckKeyValue(k.Sort, sort); err != nil {
		return err
	}
	if k.Sort.Type != item.Number && len(sort.Bytes()) > maxSortKeySize {
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

// AppendPartitionPrefix appends the prefix of all keys with a partition key value.
func AppendPartitionPrefix(dst []byte, id uint32, hash item.Value) []byte {
	h := item.Hash(hash)
	dst = append(AppendTablePrefix(dst, id), h[:]...)
	return item.AppendKey(dst, hash)
}

func (k KeySchema) appendSort(dst []byte, it item.Value) []byte {
	if k.Sort.Name == "" {
		return dst
	}
	sort, _ := it.Field(k.Sort.Name)
	return item.AppendKey(dst, sort)
}

// Extract returns the key of an item: its key attributes only.
func (k KeySchema) Extract(it item.Value) item.Value {
	entries := make([]item.Entry, 0, 2)
	for _, name := range k.Names() {
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
