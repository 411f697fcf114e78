package items

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// batchResult is the result of an operation of a batch.
type batchResult struct {
	status        int
	substatus     int
	charge        float64
	item          *engine.Item // its ETag is in the response, and its body if shown is set; nil: neither
	isRead        bool
	minimalReturn bool           // the client does not want its body, unless shown is set
	change        *engine.Change // the change of the item
}

// execute runs the operation in a transaction.
func (o *batchOperation) execute(t *engine.Transaction) (*batchResult, *wire.Error) {
	before := t.Charge
	r, err := o.run(t)
	if err != nil {
		return &batchResult{status: err.Status, substatus: err.Substatus, charge: throughput.ChargeRead(0)}, err
	}
	r.charge, r.minimalReturn = t.Charge-before, o.minimalReturn
	if r.item != nil {
		r.change = t.Change(r.item.ID)
	}
	return r, nil
}

func (o *batchOperation) run(t *engine.Transaction) (*batchResult, *wire.Error) {
	switch o.kind {
	case batchRead:
		return o.read(t)
	case batchDelete:
		_, err := t.Delete(o.id, o.conditions)
		return &batchResult{status: http.StatusNoContent}, err
	case batchPatch:
		p, err := o.patch()
		if err != nil {
			return nil, err
		}
		updated, _, err := patchItem(t, o.id, p, o.conditions)
		return &batchResult{status: http.StatusOK, item: updated}, err
	}
	updated, err := o.item(t)
	if err != nil {
		return nil, err
	}
	status := http.StatusOK
	switch o.kind {
	case batchReplace:
		_, err = t.Replace(o.id, updated, o.conditions)
	case batchCreate:
		status, err = http.StatusCreated, t.Create(updated)
	case batchUpsert:
		var old *engine.Item
		if old, err = t.Upsert(updated, o.conditions); old == nil {
			status = http.StatusCreated
		}
	}
	return &batchResult{status: status, item: updated}, err
}

// read reads an item. It returns 304 without a body if the client has the current version. Either condition may tell: a
// read whose ifMatch is the item's ETag returns 304, too (BatchSinglePartitionKeyTests of the .NET SDK).
func (o *batchOperation) read(t *engine.Transaction) (*batchResult, *wire.Error) {
	i, err := t.ReadExisting(o.id, engine.Conditions{})
	if err != nil {
		return nil, err
	}
	t.Charge += throughput.ChargeRead(i.Size())
	if etag := i.ETag.ETag(); o.conditions.Match == etag || o.conditions.NoneMatch == etag ||
		o.conditions.NoneMatch == "*" {
		return &batchResult{status: http.StatusNotModified, item: i}, nil
	}
	return &batchResult{status: http.StatusOK, item: i, isRead: true}, nil
}
