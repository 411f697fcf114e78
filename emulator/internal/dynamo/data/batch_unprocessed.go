package data

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/jsonwrite"
)

// applyBatch runs the changes of a batch, and reports which are done. Without throttling, transaction conflicts and
// faults they are one transaction. Otherwise each runs alone, and those without capacity stay unprocessed; if all of
// them do, the whole batch is throttled (API reference, BatchWriteItem). Changes of items that a transaction uses stay
// unprocessed too: what the service does with them is not documented.
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

// without returns the requests of the batch that are not done. done is by request, in their order.
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

// AppendJSON writes the requests for a table as they were sent.
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
