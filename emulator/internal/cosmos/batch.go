package cosmos

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// batchDocuments does up to 100 operations on the items of a logical partition: all of them or, when one fails, none. With the
// header x-ms-cosmos-batch-atomic saying false it is a bulk: see bulk.go.
func batchDocuments(c *call) *Error {
	operations, err := c.readBatch()
	if err != nil {
		return err
	}
	if err := c.noTriggers(); err != nil {
		return err
	}
	if err := c.batchSession(operations); err != nil {
		return err
	}
	if c.bulky() {
		return c.runBulks(operations)
	}
	key, err := c.partitionKey()
	if err != nil {
		return err
	}
	results, failed := make([]*batchResult, len(operations)), false
	t, err := c.transact(key, func(t *transaction) *Error {
		for i, op := range operations {
			var err *Error
			if results[i], err = op.do(t); err != nil {
				failed = true
				return err
			}
		}
		err := c.checkAnswer(results)
		failed = err != nil
		return err
	})
	if err != nil && !failed {
		return err
	}
	if failed {
		fail(results)
		c.charge = max(chargesOf(results), chargeRead(0))
		c.out = response{} // what there is to say of the failure is not the whole request's
	}
	c.setPartitionHeaders(t.epk, max(t.lsn, c.container.sequence.floor()))
	if failed {
		c.out.unset(headerOwner)
	}
	c.replyBatch(results)
	return nil
}

// showsItem says whether the answer has the item of a result.
func (c *call) showsItem(r *batchResult) bool {
	return r.item != nil && (r.shown || r.status < http.StatusMultipleChoices && !r.lean && c.wantsBody())
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
func (c *call) checkAnswer(results []*batchResult) *Error {
	size := 0
	for _, r := range results {
		if c.showsItem(r) {
			size += len(r.item.body)
		}
	}
	if size <= maxAnswer {
		return nil
	}
	last := len(results) - 1
	results[last] = &batchResult{status: http.StatusRequestEntityTooLarge, charge: results[last].charge}
	return tooLarge()
}

// batchSession holds a batch that reads to what its client has seen; one that only writes needs not have come as far
// (BatchInvalidSessionTokenAsync of the SDK for .NET).
func (c *call) batchSession(operations []*batchOperation) *Error {
	if slices.ContainsFunc(operations, func(o *batchOperation) bool { return o.kind == batchRead }) {
		return c.checkSession()
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
func (c *call) replyBatch(results []*batchResult) {
	c.out.status = http.StatusOK
	body := []byte{'['}
	for i, r := range results {
		if i > 0 {
			body = append(body, ',')
		}
		body = c.appendResult(body, r)
		if r.status >= http.StatusMultipleChoices {
			c.out.status = http.StatusMultiStatus
		}
		if r.substatus != 0 {
			c.out.set("x-ms-substatus", strconv.Itoa(r.substatus))
		}
	}
	c.out.body = append(body, ']')
	c.out.set("x-ms-item-count", strconv.Itoa(len(results)))
}

// appendResult writes a result as the service does (recorded from a live account, in October 2026): a delete has no etag.
func (c *call) appendResult(dst []byte, r *batchResult) []byte {
	dst = append(dst, `{"statusCode":`...)
	dst = appendInt(dst, int64(r.status))
	dst = append(dst, `,"requestCharge":`...)
	dst = doc.Append(dst, doc.Number(r.charge))
	if r.substatus != 0 {
		dst = append(dst, `,"subStatusCode":`...)
		dst = appendInt(dst, int64(r.substatus))
	}
	if r.item == nil {
		return append(dst, '}')
	}
	dst = append(dst, `,"eTag":"\"`...)
	dst = r.item.etag.appendTo(dst)
	dst = append(dst, `\""`...)
	if c.showsItem(r) {
		dst = append(dst, `,"resourceBody":`...)
		dst = c.container.appendJSON(dst, r.committed())
	}
	return append(dst, '}')
}

// committed is the result's item, with the rid that the commit gave it: one that the batch went on changing, or deleted again,
// was not itself stored.
func (r *batchResult) committed() *item {
	if r.item.rid == 0 && r.change.new != nil {
		i := *r.item
		i.rid = r.change.new.rid
		return &i
	}
	return r.item
}
