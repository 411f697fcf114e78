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

// BatchDocuments does up to 100 operations on the items of a logical partition: all of them or, when one fails, none. With the
// header x-ms-cosmos-batch-atomic saying false it is a bulk: see bulk.go.
func BatchDocuments(c *operation.Call) *wire.Error {
	operations, err := readBatch(c)
	if err != nil {
		return err
	}
	if err := scripts.NoTriggers(c); err != nil {
		return err
	}
	if err := batchSession(c, operations); err != nil {
		return err
	}
	if c.Bulky() {
		return runBulks(c, operations)
	}
	key, err := c.PartitionKey()
	if err != nil {
		return err
	}
	results, failed := make([]*batchResult, len(operations)), false
	t, err := c.Transact(key, func(t *engine.Transaction) *wire.Error {
		for i, op := range operations {
			var err *wire.Error
			if results[i], err = op.do(t); err != nil {
				failed = true
				return err
			}
		}
		err := checkAnswer(c, results)
		failed = err != nil
		return err
	})
	if err != nil && !failed {
		return err
	}
	if failed {
		fail(results)
		c.Charge = max(chargesOf(results), throughput.ChargeRead(0))
		c.Out = wire.Response{} // what there is to say of the failure is not the whole request's
	}
	c.SetPartitionHeaders(t.EPK, max(t.LSN, c.Container.Sequence.Floor()))
	if failed {
		c.Out.Unset(wire.HeaderOwner)
	}
	replyBatch(c, results)
	return nil
}

// showsItem says whether the answer has the item of a result.
func showsItem(c *operation.Call, r *batchResult) bool {
	return r.item != nil && (r.shown || r.status < http.StatusMultipleChoices && !r.lean && c.WantsBody())
}

// chargesOf is what the results say that they cost, together.
func chargesOf(results []*batchResult) (sum float64) {
	for _, r := range results {
		sum += r.charge
	}
	return sum
}

// checkAnswer refuses a batch whose answer would be larger than answers may be. It is the last operation then that fails
// (BatchServerResponseTooLargeAsync of the SDK for .NET).
func checkAnswer(c *operation.Call, results []*batchResult) *wire.Error {
	size := 0
	for _, r := range results {
		if showsItem(c, r) {
			size += len(r.item.Body)
		}
	}
	if size <= operation.MaxAnswer {
		return nil
	}
	last := len(results) - 1
	results[last] = &batchResult{status: http.StatusRequestEntityTooLarge, charge: results[last].charge}
	return wire.TooLarge()
}

// batchSession holds a batch that reads to what its client has seen; one that only writes needs not have come as far
// (BatchInvalidSessionTokenAsync of the SDK for .NET).
func batchSession(c *operation.Call, operations []*batchOperation) *wire.Error {
	if slices.ContainsFunc(operations, func(o *batchOperation) bool { return o.kind == batchRead }) {
		return c.CheckSession()
	}
	return nil
}

// fail has all operations but the one that failed depend on it.
func fail(results []*batchResult) {
	for i, r := range results {
		switch {
		case r == nil:
			results[i] = &batchResult{status: http.StatusFailedDependency}
		case r.status < http.StatusBadRequest:
			results[i] = &batchResult{status: http.StatusFailedDependency, charge: r.charge}
		}
	}
}

// replyBatch answers the results: 200 where all went well, else 207.
func replyBatch(c *operation.Call, results []*batchResult) {
	c.Out.Status = http.StatusOK
	body := []byte{'['}
	for i, r := range results {
		if i > 0 {
			body = append(body, ',')
		}
		body = appendResult(c, body, r)
		if r.status >= http.StatusMultipleChoices {
			c.Out.Status = http.StatusMultiStatus
		}
		if r.substatus != 0 {
			c.Out.Set("x-ms-substatus", strconv.Itoa(r.substatus))
		}
	}
	c.Out.Body = append(body, ']')
	c.Out.Set("x-ms-item-count", strconv.Itoa(len(results)))
}

// appendResult writes a result as the service does (recorded from a live account, in October 2026): a delete has no etag.
func appendResult(c *operation.Call, dst []byte, r *batchResult) []byte {
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
	if showsItem(c, r) {
		dst = append(dst, `,"resourceBody":`...)
		dst = c.Container.AppendJSON(dst, r.committed())
	}
	return append(dst, '}')
}

// committed is the result's item, with the rid that the commit gave it: one that the batch went on changing, or deleted again,
// was not itself stored.
func (r *batchResult) committed() *engine.Item {
	if r.item.RID == 0 && r.change.New != nil {
		i := *r.item
		i.RID = r.change.New.RID
		return &i
	}
	return r.item
}
