package operation

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// HeaderKey is the partition key of the request's header. A key that is empty is that of items without one.
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

// PartitionKey is the partition key of the request's header, which has to be there with all its levels.
func (r *Request) PartitionKey(def *engine.Definition) (doc.PartitionKey, *wire.Error) {
	key, err := r.HeaderKey()
	if err != nil {
		return nil, err
	}
	return CompleteKey(def, key)
}

// CompleteKey is a key that a request names, which has to have all its levels. Where the container was made without a
// partition key, no level at all is the key of everything.
func CompleteKey(def *engine.Definition, key doc.PartitionKey) (doc.PartitionKey, *wire.Error) {
	paths := len(def.Key.Paths)
	switch {
	case len(key) == 0 && def.Key.SystemKey: // clients older than these containers' keys send no header
		return make(doc.PartitionKey, paths), nil
	case len(key) < paths:
		return nil, shortKey(key)
	case len(key) > paths:
		return nil, wire.KeyMismatch()
	}
	return key, nil
}

// shortKey is a partition key with fewer levels than the container's, or none: the words of the first are of
// azure-cosmos's test_batch_subpartition and the SDK for .NET's PartitionKeyDeleteTestForSubpartitionedContainer, those
// of the other were recorded from a live account in October 2026, of a create without the header.
func shortKey(key doc.PartitionKey) *wire.Error {
	e := wire.BadRequest("The partition key supplied in x-ms-partitionkey header has fewer components than defined in the the collection.")
	if len(key) > 0 {
		e.Message = "Partition key provided either doesn't correspond to definition in the collection or doesn't match partition key field values specified in the document."
	}
	e.Substatus = wire.SubstatusKeyMismatch
	return e
}

// KeyOf is the partition key of an item that is to be written: its own, which the header must agree to.
func (r *Request) KeyOf(def *engine.Definition, v doc.Value) (doc.PartitionKey, *wire.Error) {
	own, problem := def.Key.Of(v)
	if problem != nil {
		return nil, wire.BadRequest("%s", problem)
	}
	key, err := r.HeaderKey()
	switch {
	case err != nil:
		return nil, err
	case len(key) == 0 && def.Key.SystemKey:
		return own, nil
	case len(key) < len(own):
		return nil, shortKey(key)
	case !key.Equal(own):
		return nil, wire.KeyMismatch()
	}
	return own, nil
}

// ItemID is the id of the item that the path names. Where the path goes by resource ids, so does its last part.
func (r *Request) ItemID(on *engine.Container) string {
	id := r.Route.ID(2)
	if r.Route.ID(0) != on.Database.RID || on.Database.Name == on.Database.RID {
		return id
	}
	number, ok := on.ItemNumber(id)
	if !ok {
		return id
	}
	i, err := on.ItemOf(number)
	if err != nil || i == nil {
		return id
	}
	return i.ID
}
