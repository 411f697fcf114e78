package engine

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// MaxItemBytes is the size in bytes of the largest item, as JSON ("Azure Cosmos DB service quotas", per-item limits).
const MaxItemBytes = 2 << 20

// itemCapacity is the initial capacity, in bytes, for an item's body: one kilobyte, the unit of charge, and some more.
const itemCapacity = throughput.Kilobyte + throughput.Kilobyte/4

// NewItem returns the item to be written for a document. Its rid, LSN, timestamp and ETag are assigned later.
func NewItem(def *Definition, v doc.Value) (*Item, *wire.Error) {
	v = wire.WithoutSystemProperties(v)
	id := v.Field("id")
	if err := checkItemID(id); err != nil {
		return nil, err
	}
	i := &Item{ID: id.Str()}
	var err *wire.Error
	if i.ttl, err = parseTTL(v.Field("ttl")); err != nil {
		return nil, err // even if the container has no TTL (@azure/cosmos, bulk.item.spec.ts)
	}
	if i.Body = doc.Append(make([]byte, 0, itemCapacity), v); len(i.Body) > MaxItemBytes {
		return nil, wire.TooLarge()
	}
	i.uniqueEntries = def.uniqueEntries(v)
	i.IndexingCharge = def.Indexing.WriteCharge(v)
	return i, nil
}

// checkItemID checks an item's id, which may contain any character. Ids that cannot be addressed are rejected by the
// gateways, not here (CosmosItemIdEncodingTestsBase of the .NET SDK and TestItemIdEncodingRoutingGW of azcosmos create
// such items).
func checkItemID(id doc.Value) *wire.Error {
	text := id.Str()
	switch {
	case !id.Defined():
		return wire.BadRequest("The input content is invalid because the required properties - 'id; ' - are missing. Learn more: https://aka.ms/CosmosDB/sql/errors/missing-id")
	case id.Kind() != doc.Text:
		return wire.BadRequest("The input content is invalid because the id must be a non-empty string.")
	case text == "", len(text) > wire.MaxItemID:
		return wire.InvalidName(text, wire.MaxItemID+1)
	}
	return nil
}

// checkKeyValues checks the length of the partition key values of an item to be written.
func checkKeyValues(key doc.PartitionKey) *wire.Error {
	for _, v := range key {
		if n := len(v.Str()); n > wire.MaxKeyValueBytes {
			return wire.BadRequest("A value of the partition key has %d bytes; it must not be longer than %d.", n,
				wire.MaxKeyValueBytes)
		}
	}
	return nil
}
