package dynamo

import (
	"encoding/binary"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
)

// The first byte of the service's keys; package keyspace says what each space holds.
const (
	spaceCatalog = keyspace.DynamoTables
	spaceCounts  = keyspace.DynamoCounters
	spaceItems   = keyspace.DynamoItems
	spaceExpiry  = keyspace.DynamoExpiry
	spaceTokens  = keyspace.DynamoTokens
	spaceStreams = keyspace.DynamoStreams
	spaceBackups = keyspace.DynamoBackups
	spaceKeys    = keyspace.DynamoTableKeys
	spaceLog     = keyspace.Changes // package changelog writes it
)

// keyAttribute is an attribute of a key: its name and type.
type keyAttribute struct {
	name string
	typ  item.Type
}

// keySchema is the primary key of a table or an index. sort has no name where there is none.
type keySchema struct{ hash, sort keyAttribute }

// attributes are those of the key that there are.
func (k keySchema) attributes() []keyAttribute {
	if k.sort.name == "" {
		return []keyAttribute{k.hash}
	}
	return []keyAttribute{k.hash, k.sort}
}

func (k keySchema) names() []string {
	if k.sort.name == "" {
		return []string{k.hash.name}
	}
	return []string{k.hash.name, k.sort.name}
}

// in says whether an item has the key's attributes, in their types: whether it is in a sparse index.
func (k keySchema) in(it item.Value) bool {
	if v, ok := it.Field(k.hash.name); !ok || v.Type() != k.hash.typ {
		return false
	}
	if k.sort.name == "" {
		return true
	}
	v, ok := it.Field(k.sort.name)
	return ok && v.Type() == k.sort.typ
}

// The limits of key attributes, in bytes.
const (
	maxHashKey = 2048
	maxSortKey = 1024
)

// maxSize is the limit of one of the key's attributes.
func (k keySchema) maxSize(a keyAttribute) int {
	if a == k.hash {
		return maxHashKey
	}
	return maxSortKey
}

// fits says whether an item's attributes of the key, which it has in their types, are neither empty nor too long.
func (k keySchema) fits(it item.Value) bool {
	for _, a := range k.attributes() {
		v, _ := it.Field(a.name)
		if n := len(v.Bytes()); a.typ != item.Number && (n == 0 || n > k.maxSize(a)) {
			return false
		}
	}
	return true
}

// checkItem refuses an item that cannot be stored under the key, in the words for items.
func (k keySchema) checkItem(it item.Value) error {
	for _, a := range k.attributes() {
		v, ok := it.Field(a.name)
		if !ok {
			return parameterError("Missing the key " + a.name + " in the item")
		}
		if v.Type() != a.typ {
			return parameterError("Type mismatch for key " + a.name + " expected: " + a.typ.String() + " actual: " + v.Type().String())
		}
	}
	return k.checkSizes(it)
}

// errKeySchema is for a key that is not that of its table.
func errKeySchema() *Error {
	return validationError("The provided key element does not match the schema")
}

// checkKey refuses a key that is not one of the table's, in the words for keys.
func (k keySchema) checkKey(key item.Value) error {
	if !k.in(key) || key.Len() != len(k.names()) {
		return errKeySchema()
	}
	return k.checkSizes(key)
}

func (k keySchema) checkSizes(it item.Value) error {
	hash, _ := it.Field(k.hash.name)
	if err := checkKeyValue(k.hash, hash); err != nil {
		return err
	}
	if k.hash.typ != item.Number && len(hash.Bytes()) > maxHashKey {
		return parameterError("Size of hashkey has exceeded the maximum size limit of2048 bytes") // the missing space is the service's
	}
	sort, ok := it.Field(k.sort.name)
	if !ok || k.sort.name == "" {
		return nil
	}
	if err := checkKeyValue(k.sort, sort); err != nil {
		return err
	}
	if k.sort.typ != item.Number && len(sort.Bytes()) > maxSortKey {
		return parameterError("Aggregated size of all range keys has exceeded the size limit of 1024 bytes")
	}
	return nil
}

func checkKeyValue(a keyAttribute, v item.Value) error {
	if a.typ == item.Number || len(v.Bytes()) > 0 {
		return nil
	}
	return emptyKeyError("The AttributeValue for a key attribute cannot contain an empty " +
		emptyKind(a.typ) + " value. Key: " + a.name)
}

func emptyKind(t item.Type) string {
	if t == item.Binary {
		return "binary"
	}
	return "string"
}

// appendSpace appends the beginning of every key of a table or an index.
func appendSpace(dst []byte, id uint32) []byte {
	return binary.BigEndian.AppendUint32(append(dst, spaceItems), id)
}

// appendPartition appends the beginning of every key of a partition key value.
func appendPartition(dst []byte, id uint32, hash item.Value) []byte {
	h := item.Hash(hash)
	dst = append(appendSpace(dst, id), h[:]...)
	return item.AppendKey(dst, hash)
}

// key is where an item of the table lies in the store.
func (t *table) key(it item.Value) []byte {
	hash, _ := it.Field(t.keys.hash.name)
	dst := appendPartition(make([]byte, 0, 64), t.def.ID, hash)
	return t.keys.appendSort(dst, it)
}

func (k keySchema) appendSort(dst []byte, it item.Value) []byte {
	if k.sort.name == "" {
		return dst
	}
	sort, _ := it.Field(k.sort.name)
	return item.AppendKey(dst, sort)
}

// key is where the index has an item: under the index's key, and then the table's, which makes it unique.
func (x *index) key(t *table, it item.Value) []byte {
	hash, _ := it.Field(x.keys.hash.name)
	dst := appendPartition(make([]byte, 0, 128), x.id, hash)
	dst = x.keys.appendSort(dst, it)
	hash, _ = it.Field(t.keys.hash.name)
	return t.keys.appendSort(item.AppendKey(dst, hash), it)
}

// of is the part of an item that is its key.
func (k keySchema) of(it item.Value) item.Value {
	entries := make([]item.Entry, 0, 2)
	for _, name := range k.names() {
		if v, ok := it.Field(name); ok {
			entries = append(entries, item.Entry{Name: name, Value: v})
		}
	}
	return item.NewMap(entries...)
}
