package data

import (
	"github.com/tabletop-db/tabletop/emulator/internal/chunked"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/jsonwrite"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// The limits of BatchGetItem.
const (
	maxBatchReads     = 100
	maxBatchReadBytes = 16 << 20
)

// batchGetOutput holds the items found, by table, and the unprocessed keys: those that do not fit in a response of
// 16 MB, for which there was no capacity, or which a fault rule left unprocessed.
type batchGetOutput struct {
	tables    []tableResponse
	capacity  engine.ConsumedCapacities
	mode      string
	processed int         // keys
	faulted   []bool      // by key: a fault rule leaves it unprocessed; nil for none
	requested int         // keys
	throttled *wire.Error // the first throttling error, nil if nothing was throttled
}

type tableResponse struct {
	request     *tableReads
	items       []byte            // JSON, separated by commas
	unprocessed []wire.Attributes // keys that were not read
}

// BatchGetItem reads items of several tables. Keys that do not fit in the response, or for which there is no capacity,
// are returned as unprocessed.
func BatchGetItem(req *engine.Request, in *BatchGetItemInput) (*batchGetOutput, error) {
	tables, err := in.tables(req)
	if err != nil {
		return nil, err
	}
	out := &batchGetOutput{mode: in.ReturnConsumedCapacity.V, faulted: req.Unprocessed()}
	size := 0
	snapshots := in.pinReplicas(req)
	defer releaseSnapshots(snapshots)
	err = req.Engine.Store.View(func(r *store.Reader) error {
		for i := range in.RequestItems {
			if err := out.read(req, snapshots[i].View(r), tables[i], &in.RequestItems[i], &size); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && out.processed == 0 && out.throttled != nil {
		return nil, out.throttled // a batch of which nothing could be processed
	}
	return out, err
}

// tables returns the tables, after checking the keys.
func (in *BatchGetItemInput) tables(req *engine.Request) ([]*engine.Table, error) {
	tables := make([]*engine.Table, len(in.RequestItems))
	for i := range in.RequestItems {
		reads := &in.RequestItems[i]
		t, err := req.Account.Table(reads.table.V)
		if err != nil {
			return nil, err
		}
		tables[i] = t
		for _, k := range reads.keys {
			if err := t.Keys.CheckKey(k.Value); err != nil {
				return nil, err
			}
		}
		if err := reads.checkProjectionPaths(t); err != nil {
			return nil, err
		}
	}
	return tables, nil
}

// pinReplicas pins, for each table, the state that one of its replicas shows.
func (in *BatchGetItemInput) pinReplicas(req *engine.Request) []lag.Moment {
	snapshots := make([]lag.Moment, len(in.RequestItems))
	for i := range snapshots {
		snapshots[i] = req.Engine.PendingWrites.Pin(req.Replica(in.RequestItems[i].ConsistentRead.V))
	}
	return snapshots
}

func releaseSnapshots(snapshots []lag.Moment) {
	for i := range snapshots {
		snapshots[i].Release()
	}
}

// preparedBytes is how much memory is taken for the items of a table before they are read, in bytes.
const preparedBytes = 128 << 10

// read reads the items of one table, until the response is full.
func (o *batchGetOutput) read(req *engine.Request, view lag.View, t *engine.Table, reads *tableReads, size *int) error {
	response := tableResponse{request: reads}
	firstKey := o.requested
	items := view.Lookup()
	defer items.Close()
	o.requested += len(reads.keys)
	for i, k := range reads.keys {
		if at := firstKey + i; at < len(o.faulted) && o.faulted[at] {
			response.unprocessed = append(response.unprocessed, k)
			continue
		}
		key := t.Key(k.Value)
		value, ok, err := items.Get(key)
		if err == nil {
			err = req.Budget().Step(1 + len(value)/engine.ItemBytesPerStep)
		}
		if err != nil {
			return err
		}
		itemSize := 0
		if ok {
			itemSize = item.Value(value).ItemSize()
		}
		if *size += itemSize; *size > maxBatchReadBytes {
			response.unprocessed = append(response.unprocessed, reads.keys[i:]...)
			break
		}
		units := engine.ReadUnitsFor(itemSize, reads.ConsistentRead.V)
		err = req.ChargeRead(t, nil, 1, units, key, false)
		if e, throttled := engine.AsThrottled(err); throttled {
			o.throttled, response.unprocessed = e, append(response.unprocessed, reads.keys[i:]...)
			break
		}
		if err != nil {
			return err
		}
		o.processed++
		if wantsCapacity(o.mode) {
			o.capacity.ForTable(reads.table.Sent, "").Table += units
		}
		if !ok {
			continue
		}
		if err := response.add(req, item.Value(value), itemSize, len(reads.keys)-i); err != nil {
			return err
		}
	}
	o.tables = append(o.tables, response)
	return t.CheckCurrent()
}

// add adds what the request asks for of an item of that size. left is how many keys were not added yet.
func (t *tableResponse) add(req *engine.Request, stored item.Value, size, left int) error {
	if len(t.items) > 0 {
		t.items = append(t.items, ',')
	}
	projected, err := t.request.project(stored, req.Budget())
	if err != nil {
		return err
	}
	size += size / 4    // about the size of the JSON
	if t.items == nil { // the other items are likely to be as large
		t.items = make([]byte, 0, min(size*left, preparedBytes))
	}
	before := len(t.items)
	t.items = projected.AppendItem(chunked.Grow(t.items, size))
	return req.CountResponseMemory(len(t.items) - before)
}

func (o *batchGetOutput) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"Responses":{`...)
	for i, t := range o.tables {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(jsonwrite.AppendString(dst, t.request.table.Sent), `:[`...)
		dst = append(chunked.Append(dst, t.items), ']')
	}
	dst = append(dst, `},"UnprocessedKeys":{`...)
	first := true
	for _, t := range o.tables {
		if len(t.unprocessed) == 0 {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = t.appendUnprocessed(dst)
	}
	dst = append(dst, '}')
	if o.capacity != nil {
		dst = engine.AppendCapacities(dst, o.capacity, o.mode)
	}
	return append(dst, '}')
}

// appendUnprocessed writes the unprocessed keys, with the other members that the request had for the table.
func (t *tableResponse) appendUnprocessed(dst []byte) []byte {
	dst = append(jsonwrite.AppendString(dst, t.request.table.Sent), `:{"Keys":[`...)
	for i, k := range t.unprocessed {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = k.AppendItem(dst)
	}
	dst = append(dst, ']')
	if t.request.ConsistentRead.V {
		dst = append(dst, `,"ConsistentRead":true`...)
	}
	return append(t.request.appendSelection(dst), '}')
}

func (t *tableReads) appendSelection(dst []byte) []byte {
	if t.ProjectionExpression.Set {
		dst = jsonwrite.AppendString(append(dst, `,"ProjectionExpression":`...), t.ProjectionExpression.V)
	}
	for i, name := range t.AttributesToGet {
		dst = append(dst, [2]string{`,"AttributesToGet":[`, `,`}[min(i, 1)]...)
		dst = jsonwrite.AppendString(dst, name)
	}
	if len(t.AttributesToGet) > 0 {
		dst = append(dst, ']')
	}
	for i, n := range t.Names {
		dst = append(dst, [2]string{`,"ExpressionAttributeNames":{`, `,`}[min(i, 1)]...)
		dst = append(jsonwrite.AppendString(dst, n.Placeholder), ':')
		dst = jsonwrite.AppendString(dst, n.Attribute)
	}
	if len(t.Names) > 0 {
		dst = append(dst, '}')
	}
	return dst
}
