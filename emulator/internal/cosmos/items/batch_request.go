package items

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/patch"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// The limits of a batch ("Transactional batch operations in Azure Cosmos DB").
const (
	maxBatch     = 100     // operations
	maxBatchBody = 2 << 20 // bytes
)

// batchOperation is one operation in the request of a batch or a bulk.
type batchOperation struct {
	kind          batchKind
	id            string
	body          doc.Value
	conditions    engine.Conditions
	key           doc.PartitionKey // in a bulk; nil: the request's
	minimalReturn bool             // it does not want the written item in the response
}

// batchKind is the type of an operation of a batch, by its name on the wire.
type batchKind string

const (
	batchCreate  batchKind = "Create"
	batchUpsert  batchKind = "Upsert"
	batchReplace batchKind = "Replace"
	batchRead    batchKind = "Read"
	batchDelete  batchKind = "Delete"
	batchPatch   batchKind = "Patch"
)

var batchKinds = map[string]batchKind{"create": batchCreate, "upsert": batchUpsert, "replace": batchReplace,
	"read": batchRead, "delete": batchDelete, "patch": batchPatch}

// readOperations parses the request's body, a list of operations.
func readOperations(r *operation.Request) ([]*batchOperation, *wire.Error) {
	if len(r.Body) > maxBatchBody {
		return nil, wire.TooLarge()
	}
	v, err := r.JSON()
	switch {
	case err != nil:
		return nil, err
	case v.Kind() != doc.List:
		return nil, wire.BadRequest("One of the specified inputs is invalid")
	case v.Len() == 0:
		return nil, wire.BadRequest("Batch request has no operations.")
	case v.Len() > maxBatch:
		return nil, wire.BadRequest("Batch request has more operations than what is supported.")
	}
	all := make([]*batchOperation, v.Len())
	for i, e := range v.Elements() {
		if all[i], err = parseBatchOperation(e); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func parseBatchOperation(v doc.Value) (*batchOperation, *wire.Error) {
	kind, ok := batchKinds[strings.ToLower(v.Field("operationType").Str())]
	if !ok {
		return nil, wire.BadRequest("One of the specified inputs is invalid: %s is not an operation of a batch.",
			orNothing(v.Field("operationType")))
	}
	op := &batchOperation{kind: kind, id: v.Field("id").Str(), body: v.Field("resourceBody"),
		conditions:    engine.Conditions{Match: v.Field("ifMatch").Str(), NoneMatch: v.Field("ifNoneMatch").Str()},
		minimalReturn: v.Field("minimalReturnPreference").IsTrue()}
	if key := v.Field("partitionKey"); key.Defined() && key.Kind() != doc.Null {
		text := key.Str()
		if key.Kind() != doc.Text {
			text = key.JSON()
		}
		var keyErr error
		if op.key, keyErr = doc.ParsePartitionKeyHeader(text); keyErr != nil {
			return nil, wire.BadRequest("Partition key %s is invalid.", text)
		}
	}
	return op, nil
}

func orNothing(v doc.Value) string {
	if !v.Defined() {
		return "nothing"
	}
	return v.JSON()
}

// item returns the item that the operation writes. Its partition key must be the transaction's.
func (o *batchOperation) item(t *engine.Transaction) (*engine.Item, *wire.Error) {
	if o.body.Kind() != doc.Map {
		return nil, wire.BadRequest("One of the specified inputs is invalid")
	}
	own, keyErr := t.Definition.Key.FromDocument(o.body)
	if keyErr != nil {
		return nil, wire.BadRequest("%s", keyErr)
	}
	if !own.Equal(t.Key) {
		return nil, wire.KeyMismatch()
	}
	return engine.NewItem(t.Definition, o.body)
}

// patch returns the operation's body, parsed as a patch.
func (o *batchOperation) patch() (*patch.Patch, *wire.Error) {
	p, err := patch.Parse(o.body)
	if err != nil {
		return nil, wire.BadRequest("%s", err)
	}
	return p, nil
}
