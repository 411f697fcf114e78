package items

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/scripts"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// BatchDocuments runs up to 100 operations on the items of a logical partition, atomically: if one fails, none has an
// effect. With the header x-ms-cosmos-batch-atomic: false it is a bulk: see bulk.go.
func BatchDocuments(c *operation.Call) *wire.Error { return operation.Do(c, readBatch, runBatch) }

type batchInput struct {
	operations []*batchOperation
	session    operation.Session
	omitBodies bool // the client does not want written items in the response

	key  doc.PartitionKey
	bulk *bulkInput // nil: an atomic batch
	// keyError is reported after errors of the session.
	keyError *wire.Error
}

func readBatch(r *operation.Request, container *engine.Container) (in batchInput, err *wire.Error) {
	if in.operations, err = readOperations(r); err != nil {
		return in, err
	}
	if err := scripts.ReadTriggerNames(r).Reject(); err != nil {
		return in, err
	}
	in.session, in.omitBodies = r.Session(container), !r.WantsBody()
	if r.IsBulk() {
		in.bulk, in.keyError = readBulk(r, container, in.operations)
	} else {
		in.key, in.keyError = r.PartitionKey(container.Definition.Load())
	}
	return in, nil
}

func runBatch(r *operation.Run, in batchInput) *wire.Error {
	if err := in.checkSession(r); err != nil {
		return err
	}
	if in.keyError != nil {
		return in.keyError
	}
	if in.bulk != nil {
		return runBulk(r, in)
	}
	results, failed := make([]*batchResult, len(in.operations)), false
	t, err := r.Transact(in.key, func(t *engine.Transaction) *wire.Error {
		for i, op := range in.operations {
			var err *wire.Error
			if results[i], err = op.execute(t); err != nil {
				failed = true
				return err
			}
		}
		err := in.checkResponseSize(results)
		failed = err != nil
		return err
	})
	if err != nil && !failed {
		return err
	}
	if failed {
		failOthers(results)
		r.Charge = max(chargesOf(results), throughput.ChargeRead(0))
		r.Out = wire.Response{} // its headers would describe the failed operation, not the request
	}
	r.SetPartitionHeaders(t.EPK, max(t.LSN, r.Container.Sequence.Floor()))
	if failed {
		r.Out.Unset(wire.HeaderContentPath)
	}
	in.reply(r, results)
	return nil
}

// showsItem reports whether the response contains the item of a result.
func (in *batchInput) showsItem(r *batchResult) bool {
	return r.item != nil && (r.isRead || r.status < http.StatusMultipleChoices && !r.minimalReturn && !in.omitBodies)
}

// chargesOf returns the sum of the charges of the results.
func chargesOf(results []*batchResult) (sum float64) {
	for _, r := range results {
		sum += r.charge
	}
	return sum
}

// checkResponseSize rejects a batch with too large a response. The last operation fails then
// (BatchServerResponseTooLargeAsync of the .NET SDK).
func (in *batchInput) checkResponseSize(results []*batchResult) *wire.Error {
	size := 0
	for _, r := range results {
		if in.showsItem(r) {
			size += len(r.item.Body)
		}
	}
	if size <= operation.MaxResponseBytes {
		return nil
	}
	last := len(results) - 1
	results[last] = &batchResult{status: http.StatusRequestEntityTooLarge, charge: results[last].charge}
	return wire.TooLarge()
}

// checkSession checks the session of a batch with reads. A batch of writes ignores the session
// (BatchInvalidSessionTokenAsync of the .NET SDK).
func (in *batchInput) checkSession(r *operation.Run) (err *wire.Error) {
	if slices.ContainsFunc(in.operations, func(o *batchOperation) bool { return o.kind == batchRead }) {
		_, err = r.CheckSession(in.session)
	}
	return err
}

// failOthers changes the results of all operations but the failed one to 424 Failed Dependency.
func failOthers(results []*batchResult) {
	for i, r := range results {
		switch {
		case r == nil:
			results[i] = &batchResult{status: http.StatusFailedDependency}
		case r.status < http.StatusBadRequest:
			results[i] = &batchResult{status: http.StatusFailedDependency, charge: r.charge}
		}
	}
}

// reply replies with the results: 200 if all operations succeeded, else 207.
func (in *batchInput) reply(run *operation.Run, results []*batchResult) {
	run.Out.Status = http.StatusOK
	body := []byte{'['}
	for i, r := range results {
		if i > 0 {
			body = append(body, ',')
		}
		body = in.appendResult(run.Container, body, r)
		if r.status >= http.StatusMultipleChoices {
			run.Out.Status = http.StatusMultiStatus
		}
		if r.substatus != 0 {
			run.Out.Set("x-ms-substatus", strconv.Itoa(r.substatus))
		}
	}
	run.Out.Body = append(body, ']')
	run.Out.Set("x-ms-item-count", strconv.Itoa(len(results)))
}

// appendResult appends a result in the service's form (recorded from a live account in October 2026). The result of a
// delete has no ETag.
func (in *batchInput) appendResult(of *engine.Container, dst []byte, r *batchResult) []byte {
	dst = append(dst, `{"statusCode":`...)
	dst = engine.AppendInt(dst, int64(r.status))
	dst = append(dst, `,"requestCharge":`...)
	dst = doc.Append(dst, doc.Number(r.charge))
	if r.substatus != 0 {
		dst = append(dst, `,"subStatusCode":`...)
		dst = engine.AppendInt(dst, int64(r.substatus))
	}
	if r.item == nil {
		return append(dst, '}')
	}
	dst = append(dst, `,"eTag":"\"`...)
	dst = r.item.ETag.AppendTo(dst)
	dst = append(dst, `\""`...)
	if in.showsItem(r) {
		dst = append(dst, `,"resourceBody":`...)
		dst = of.AppendJSON(dst, r.committed())
	}
	return append(dst, '}')
}

// committed returns the result's item with the rid that the commit assigned. An item that a later operation of the
// batch changed or deleted was never stored, so it has no rid of its own.
func (r *batchResult) committed() *engine.Item {
	if r.item.RID == 0 && r.change.New != nil {
		i := *r.item
		i.RID = r.change.New.RID
		return &i
	}
	return r.item
}
