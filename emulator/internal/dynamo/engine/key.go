package engine

import (
	"encoding/binary"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
)

// In the store a backup is under its space, a letter for its description or its items, and its id; an item has behind
// it the end of the key that it had in its table.
const (
	BackupMeta  = keyspace.BackupDescription
	BackupItems = keyspace.BackupItems
)

// The first byte of the service's keys; package keyspace says what each space holds.
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

// KeyAttribute is an attribute of a key: its name and type.
type KeyAttribute struct {
	Name string
	Type item.Type
}

// KeySchema is the primary key of a table or an index. sort has no name where there is none.
type KeySchema struct{ Hash, Sort KeyAttribute }

// Attributes are those of the key that there are.
func (k KeySchema) Attributes() []KeyAttribute {
	if k.Sort.Name == "" {
		return []KeyAttribute{k.Hash}
	}
	return []KeyAttribute{k.Hash, k.Sort}
}

// Names are the names of the attributes of the key.
func (k KeySchema) Names() []string {
	if k.Sort.Name == "" {
		return []string{k.Hash.Name}
	}
	return []string{k.Hash.Name, k.Sort.Name}
}

// In says whether an item has the key's attributes, in their types: whether it is in a sparse index.
func (k KeySchema) In(it item.Value) bool {
	if v, ok := it.Field(k.Hash.Name); !ok || v.Type() != k.Hash.Type {
		return false
	}
	if k.Sort.Name == "" {
		return true
	}
	v, ok := it.Field(k.Sort.Name)
	return ok && v.Type() == k.Sort.Type
}

// The limits of key attributes, in bytes.
const (
	MaxHashKey = 2048
	maxSortKey = 1024
)

// maxSize is the limit of one of the key's attributes.
func (k KeySchema) maxSize(a KeyAttribute) int {
	if a == k.Hash {
		return MaxHashKey
	}
	return maxSortKey
}

// fits says whether an item's attributes of the key, which it has in their types, are neither empty nor too long.
func (k KeySchema) fits(it item.Value) bool {
	for _, a := range k.Attributes() {
		v, _ := it.Field(a.Name)
		if n := len(v.Bytes()); a.Type != item.Number && (n == 0 || n > k.maxSize(a)) {
			return false
		}
	}
	return true
}

// CheckItem refuses an item that cannot be stored under the key, in the words for items.
func (k KeySchema) CheckItem(it item.Value) error {
	for _, a := range k.Attributes() {
		v, ok := it.Field(a.Name)
		if !ok {
			return wire.ParameterError("Missing the key " + a.Name + " in the item")
		}
		if v.Type() != a.Type {
			return wire.ParameterError("Type mismatch for key " + a.Name + " expected: " + a.Type.String() + " actual: " + v.Type().String())
		}
	}
	return k.checkSizes(it)
}

// ErrKeySchema is for a key that is not that of its table.
func ErrKeySchema() *wire.Error {
	return wire.ValidationError("The provided key element does not match the schema")
}

// CheckKey refuses a key that is not one of the table's, in the words for keys.
func (k KeySchema) CheckKey(key item.Value) error {
	if !k.In(key) || key.Len() != len(k.Names()) {
		return ErrKeySchema()
	}
	return k.checkSizes(key)
}

func (k KeySchema) checkSizes(it item.Value) error {
	hash, _ := it.Field(k.Hash.Name)
	if err := CheckKeyValue(k.Hash, hash); err != nil {
		return err
	}
	if k.Hash.Type != item.Number && len(hash.Bytes()) > MaxHashKey {
		return wire.ParameterError("Size of hashkey has exceeded the maximum size limit of2048 bytes") // the missing space is the service's
	}
	sort, ok := it.Field(k.Sort.Name)
	if !ok || k.Sort.Name == "" {
		return nil
	}
	if err := CheckKeyValue(k.Sort, sort); err != nil {
		return err
	}
	if k.Sort.Type != item.Number && len(sort.Bytes()) > maxSortKey {
		return wire.ParameterError("Aggregated size of all range keys has exceeded the size limit of 1024 bytes")
	}
	return nil
}

// CheckKeyValue refuses a value that cannot be one of the attribute: empty or too long.
func CheckKeyValue(a KeyAttribute, v item.Value) error {
	if a.Type == item.Number || len(v.Bytes()) > 0 {
		return nil
	}
	return wire.EmptyKeyError("The AttributeValue for a key attribute cannot contain an empty " +
		EmptyKind(a.Type) + " value. Key: " + a.Name)
}

// EmptyKind is what messages call an empty value of a type.
func EmptyKind(t item.Type) string {
	if t == item.Binary {
		return "binary"
	}
	return "string"
}

// AppendSpace appends the beginning of every key of a table or an index.
func AppendSpace(dst []byte, id uint32) []byte {
	return binary.BigEndian.AppendUint32(append(dst, SpaceItems), id)
}

// AppendPartition appends the beginning of every key of a partition key value.
func AppendPartition(dst []byte, id uint32, hash item.Value) []byte {
	h := item.Hash(hash)
	dst = append(AppendSpace(dst, id), h[:]...)
	return item.AppendKey(dst, hash)
}

// Key is where an item of the table lies in the store.
func (t *Table) Key(it item.Value) []byte {
	hash, _ := it.Field(t.Keys.Hash.Name)
	dst := AppendPartition(make([]byte, 0, 64), t.Def.ID, hash)
	return t.Keys.appendSort(dst, it)
}

func (k KeySchema) appendSort(dst []byte, it item.Value) []byte {
	if k.Sort.Name == "" {
		return dst
	}
	sort, _ := it.Field(k.Sort.Name)
	return item.AppendKey(dst, sort)
}

// Key is where the index has an item: under the index's key, and then the table's, which makes it unique.
func (x *Index) Key(t *Table, it item.Value) []byte {
	hash, _ := it.Field(x.Keys.Hash.Name)
	dst := AppendPartition(make([]byte, 0, 128), x.ID, hash)
	dst = x.Keys.appendSort(dst, it)
	hash, _ = it.Field(t.Keys.Hash.Name)
	return t.Keys.appendSort(item.AppendKey(dst, hash), it)
}

// Of is the part of an item that is its key.
func (k KeySchema) Of(it item.Value) item.Value {
	entries := make([]item.Entry, 0, 2)
	for _, name := range k.Names() {
		if v, ok := it.Field(name); ok {
			entries = append(entries, item.Entry{Name: name, Value: v})
		}
	}
	return item.NewMap(entries...)
}
