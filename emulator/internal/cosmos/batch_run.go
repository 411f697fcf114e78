package cosmos

import "net/http"

// batchResult is what came of an operation of a batch.
type batchResult struct {
	status    int
	substatus int
	charge    float64
	item      *item // whose etag the answer has, and its body where shown is set; nil: neither
	shown     bool
	lean      bool    // its body is not wanted, but where shown is set
	change    *change // what has become of it
}

// do does an operation in a transaction.
func (o *batchOperation) do(t *transaction) (*batchResult, *Error) {
	before := t.charge
	r, err := o.run(t)
	if err != nil {
		return &batchResult{status: err.Status, substatus: err.Substatus, charge: chargeRead(0)}, err
	}
	r.charge, r.lean = t.charge-before, o.lean
	if r.item != nil {
		r.change = t.byID[r.item.id]
	}
	return r, nil
}

func (o *batchOperation) run(t *transaction) (*batchResult, *Error) {
	switch o.kind {
	case batchRead:
		return o.read(t)
	case batchDelete:
		_, err := t.delete(o.id, o.want)
		return &batchResult{status: http.StatusNoContent}, err
	case batchPatch:
		p, err := o.patch()
		if err != nil {
			return nil, err
		}
		made, _, err := t.patchItem(o.id, p, o.want)
		return &batchResult{status: http.StatusOK, item: made}, err
	}
	made, err := o.item(t)
	if err != nil {
		return nil, err
	}
	status := http.StatusOK
	switch o.kind {
	case batchReplace:
		_, err = t.replace(o.id, made, o.want)
	case batchCreate:
		status, err = http.StatusCreated, t.create(made)
	case batchUpsert:
		var old *item
		if old, err = t.upsert(made, o.want); old == nil {
			status = http.StatusCreated
		}
	}
	return &batchResult{status: status, item: made}, err
}

// read reads an item; one that the client has is not sent again. Either condition says which it has: a read whose ifMatch is
// the item's etag is answered 304 too (BatchSinglePartitionKeyTests of the SDK for .NET).
func (o *batchOperation) read(t *transaction) (*batchResult, *Error) {
	i, err := t.existing(o.id, conditions{})
	if err != nil {
		return nil, err
	}
	t.charge += chargeRead(i.size())
	if etag := i.etag.ETag(); o.want.match == etag || o.want.noneMatch == etag || o.want.noneMatch == "*" {
		return &batchResult{status: http.StatusNotModified, item: i}, nil
	}
	return &batchResult{status: http.StatusOK, item: i, shown: true}, nil
}
