package operation

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// HeaderKey returns the partition key of the request's header. An empty key is that of items without a partition key
// value.
func (r *Request) HeaderKey() (doc.PartitionKey, *wire.Error) {
	text := r.Header("X-Ms-Documentdb-Partitionkey")
	if text == "" {
		return nil, nil
	}
	key, err := doc.ParsePartitionKeyHeader(text)
	if err != nil {
		return nil, wire.BadRequest("Partition key %s is invalid.", text)
	}
	return key, nil
}

// PartitionKey returns the partition key of the request's header, which must be present with all its levels.
func (r *Request) PartitionKey(def *engine.Definition) (doc.PartitionKey, *wire.Error) {
	key, err := r.HeaderKey()
	if err != nil {
		return nil, err
	}
	return CompleteKey(def, key)
}

// CompleteKey checks that a partition key has all levels. In a container created without a partition key, an empty key
// is valid for all items.
func CompleteKey(def *engine.Definition, key doc.PartitionKey) (doc.PartitionKey, *wire.Error) {
	paths := len(def.Key.Paths)
	switch {
	case len(key) == 0 && def.Key.SystemKey: // clients older than such containers send no header
		return make(doc.PartitionKey, paths), nil
	case len(key) < paths:
		return nil, incompleteKeyError(key)
	case len(key) > paths:
		return nil, wire.KeyMismatch()
	}
	return key, nil
}

// incompleteKeyError returns the error for a partition key with too few levels, or none. The message with levels is
// from test_batch_subpartition of azure-cosmos and PartitionKeyDeleteTestForSubpartitionedContainer of the .NET SDK.
// The message for none was recorded from a live account in October 2026, for a create without the header.
func incompleteKeyError(key doc.PartitionKey) *wire.Error {
	e := wire.BadRequest(
		"The partition key supplied in x-ms-partitionkey header has fewer components than defined in the the collection.")
	if len(key) > 0 {
		e.Message = "Partition key provided either doesn't correspond to definition in the collection or doesn't match partition key field values specified in the document."
	}
	e.Substatus = wire.SubstatusKeyMismatch
	return e
}

// DocumentKey returns the partition key of an item to be written. The header must match it.
func (r *Request) DocumentKey(def *engine.Definition, v doc.Value) (doc.PartitionKey, *wire.Error) {
	own, keyErr := def.Key.FromDocument(v)
	if keyErr != nil {
		return nil, wire.BadRequest("%s", keyErr)
	}
	key, err := r.HeaderKey()
	switch {
	case err != nil:
		return nil, err
	case len(key) == 0 && def.Key.SystemKey:
		return own, nil
	case len(key) < len(own):
		return nil, incompleteKeyError(key)
	case !key.Equal(own):
		return nil, wire.KeyMismatch()
	}
	return own, nil
}

// ItemID returns the id of the item in the path. If the path consists of resource ids, it looks the id up.
func (r *Request) ItemID(container *engine.Container) string {
	id := r.Route.ID(2)
	if r.Route.ID(0) != container.Database.RID || container.Database.Name == container.Database.RID {
		return id
	}
	number, ok := container.ParseItemRID(id)
	if !ok {
		return id
	}
	i, err := container.ItemByRID(number)
	if err != nil || i == nil {
		return id
	}
	return i.ID
}
