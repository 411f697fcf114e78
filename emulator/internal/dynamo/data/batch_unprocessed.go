package data

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/jsonwrite"
)

// applyBatch runs the changes of a batch, and says which were done. Where nothing is throttled they are one
// transaction; else each is by itself, and those that there is no capacity for are left. A batch that can do nothing at
// all is throttled as a whole. (API reference, BatchWriteItem.) Members that meet a transaction are left too: what the
// service does with them is not documented.
func applyBatch(a *engine.Request, changes []*engine.Change) (done []bool, err error) {
	done = make([]bool, len(changes))
	undone := a.Unprocessed()
	if !a.Engine.Throttling && a.Engine.InFlight == nil && undone == nil {
		for i := range done {
			done[i] = true
		}
		return done, a.Engine.ApplyAll(changes)
	}
	var refused *wire.Error
	some := false
	for i, c := range changes {
		if undone != nil && undone[i] {
			continue
		}
		err := a.Engine.Apply(c)
		if meetsTransaction(err) {
			continue
		}
		if e, throttled := engine.AsThrottled(err); throttled {
			refused = e
			continue
		}
		if err != nil {
			return nil, err
		}
		done[i], some = true, true
	}
	if !some && refused != nil {
		return nil, refused
	}
	return done, nil
}

// without is what is left of a batch when some of its members, in their order, are done.
func (in *BatchWriteItemInput) without(done []bool) []tableWrites {
	var rest []tableWrites
	i := 0
	for _, t := range in.RequestItems {
		left := tableWrites{table: t.table}
		for _, w := range t.requests {
			if !done[i] {
				left.requests = append(left.requests, w)
			}
			i++
		}
		if left.requests != nil {
			rest = append(rest, left)
		}
	}
	return rest
}

// AppendJSON writes the requests for a table as they came.
func (t *tableWrites) AppendJSON(dst []byte) []byte {
	dst = append(jsonwrite.AppendString(dst, t.table), `:[`...)
	for i, w := range t.requests {
		if i > 0 {
			dst = append(dst, ',')
		}
		head := `{"PutRequest":{"Item":`
		if w.deletes > 0 {
			head = `{"DeleteRequest":{"Key":`
		}
		dst = append(w.target().AppendItem(append(dst, head...)), "}}"...)
	}
	return append(dst, ']')
}
