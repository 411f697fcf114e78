package data

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// maxBatchWrites is the most requests in one BatchWriteItem.
const maxBatchWrites = 25

// batchWriteOutput is the cost of the batch, and the requests that were not processed.
type batchWriteOutput struct {
	capacity    engine.ConsumedCapacities
	mode        string
	collections tableCollections
	unprocessed []tableWrites
}

// BatchWriteItem puts and deletes items of several tables, each independently.
func BatchWriteItem(req *engine.Request, in *BatchWriteItemInput) (*batchWriteOutput, error) {
	changes, err := in.changes(req)
	if err != nil {
		return nil, err
	}
	done, err := applyBatch(req, in, changes)
	if err != nil {
		return nil, err
	}
	out := &batchWriteOutput{mode: in.ReturnConsumedCapacity.V, unprocessed: in.unprocessedRequests(done)}
	if wantsCapacity(out.mode) {
		out.addCapacity(in, changes, done)
	}
	if in.ReturnItemCollectionMetrics.V == "SIZE" {
		out.collections, err = in.collections(req, done)
	}
	return out, err
}

// addCapacity adds the cost of the changes that are done. changes and done are by request, in their order.
func (o *batchWriteOutput) addCapacity(in *BatchWriteItemInput, changes []*engine.Change, done []bool) {
	at := 0
	for _, writes := range in.RequestItems {
		for range writes.requests {
			if done[at] {
				o.capacity.ForTable(writes.table.Sent, "").AddWrite(changes[at])
			}
			at++
		}
	}
}

func (in *BatchWriteItemInput) changes(req *engine.Request) ([]*engine.Change, error) {
	changes := make([]*engine.Change, 0, maxBatchWrites)
	for _, writes := range in.RequestItems {
		t, err := req.Account.Table(writes.table.V)
		if err != nil {
			return nil, err
		}
		for i := range writes.requests {
			c, err := writes.requests[i].change(req, t)
			if err != nil {
				return nil, err
			}
			changes = append(changes, c)
		}
	}
	keys := make([][]byte, len(changes))
	for i, c := range changes {
		keys[i] = c.Key
	}
	if hasDuplicates(keys) {
		return nil, wire.ValidationError("Provided list of item keys contains duplicates")
	}
	return changes, nil
}

// change returns the change of one request of the batch, with its table as it is now.
func (in *BatchWriteItemInput) change(req *engine.Request, at int) (*engine.Change, error) {
	writes := in.RequestItems
	for ; at >= len(writes[0].requests); writes = writes[1:] {
		at -= len(writes[0].requests)
	}
	t, err := req.Account.Table(writes[0].table.V)
	if err != nil {
		return nil, err
	}
	return writes[0].requests[at].change(req, t)
}

func (w *putOrDelete) change(req *engine.Request, t *engine.Table) (*engine.Change, error) {
	if err := w.checkKey(t); err != nil {
		return nil, err
	}
	return &engine.Change{Request: req, Table: t, Key: t.Key(w.target()), Next: replaceWith(w.item.Value)}, nil
}

// checkKey returns an error if the table cannot hold the item. Unlike PutItem, it uses the message for keys.
func (w *putOrDelete) checkKey(t *engine.Table) error {
	if w.deletes > 0 {
		return t.Keys.CheckKey(w.key.Value)
	}
	err := t.CheckItem(w.item.Value)
	if err != nil && !t.Keys.MatchesItem(w.item.Value) {
		return engine.ErrKeySchema()
	}
	return err
}

// collections returns the collections of the requests that are done. done is by request, in their order.
func (in *BatchWriteItemInput) collections(req *engine.Request, done []bool) (tableCollections, error) {
	all := tableCollections{}
	for _, writes := range in.RequestItems {
		doneHere := done[:len(writes.requests)]
		done = done[len(writes.requests):]
		t, err := req.Account.Table(writes.table.V)
		if err != nil {
			continue
		}
		for i := range writes.requests {
			if !doneHere[i] {
				continue
			}
			if err := all.add(req, writes.table.Sent, t, writes.requests[i].target()); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

func (o *batchWriteOutput) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"UnprocessedItems":{`...)
	for i, t := range o.unprocessed {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = t.AppendJSON(dst)
	}
	dst = append(dst, '}')
	if o.capacity != nil {
		dst = engine.AppendCapacities(dst, o.capacity, o.mode)
	}
	if len(o.collections) > 0 {
		dst = appendCollections(dst, o.collections)
	}
	return append(dst, '}')
}
