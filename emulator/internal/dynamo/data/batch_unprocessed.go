package data

import (
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/jsonwrite"
)

// applyBatch runs the changes of a batch, and reports which are done. Without throttling, transaction conflicts and
// faults they are one transaction. Otherwise each runs alone, and those without capacity stay unprocessed; if all of
// them do, the whole batch is throttled (API reference, BatchWriteItem). Changes of items that a transaction or another
// region uses stay unprocessed too: what the service does with them is not documented.
func applyBatch(req *engine.Request, in *BatchWriteItemInput, changes []*engine.Change) (done []bool, err error) {
	done = make([]bool, len(changes))
	faulted := req.Unprocessed()
	if !req.Engine.Throttling && req.Engine.InFlight == nil && faulted == nil {
		for i := range done {
			done[i] = true
		}
		return done, req.Engine.ApplyAll(changes)
	}
	var throttling *wire.Error
	anyDone := false
	for i := range changes {
		if faulted != nil && faulted[i] {
			continue
		}
		err := in.applyAlone(req, changes, i)
		if IsConflict(err) {
			continue
		}
		if e, throttled := engine.AsThrottled(err); throttled {
			throttling = e
			continue
		}
		if err != nil {
			return nil, err
		}
		done[i], anyDone = true, true
	}
	if !anyDone && throttling != nil {
		return nil, throttling
	}
	return done, nil
}

// applyAlone applies the change of a request, and prepares it again while its table changes meanwhile: the previous
// requests of the batch are done, so the batch is not repeated.
func (in *BatchWriteItemInput) applyAlone(req *engine.Request, changes []*engine.Change, i int) error {
	for {
		err := req.Engine.Apply(changes[i])
		if !errors.Is(err, engine.ErrStaleTable) {
			return err
		}
		if err := req.Budget().Err(); err != nil {
			return err
		}
		if changes[i], err = in.change(req, i); err != nil {
			return err
		}
	}
}

// unprocessedRequests returns the requests of the batch that are not done. done is by request, in their order.
func (in *BatchWriteItemInput) unprocessedRequests(done []bool) []tableWrites {
	var unprocessed []tableWrites
	i := 0
	for _, t := range in.RequestItems {
		remaining := tableWrites{table: t.table}
		for _, w := range t.requests {
			if !done[i] {
				remaining.requests = append(remaining.requests, w)
			}
			i++
		}
		if remaining.requests != nil {
			unprocessed = append(unprocessed, remaining)
		}
	}
	return unprocessed
}

// AppendJSON writes the requests for a table as they were sent.
func (t *tableWrites) AppendJSON(dst []byte) []byte {
	dst = append(jsonwrite.AppendString(dst, t.table.Sent), `:[`...)
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
