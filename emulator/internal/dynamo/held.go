package dynamo

// The sizes in bytes that are taken ahead for answers before they are made. What an answer turns out to take is counted then.
const (
	pageBytes = 1 << 20   // of Query, Scan and GetRecords: the service's limit of a page
	itemBytes = 400 << 10 // of one item, the service's limit
)

// copies is how often what is read is in memory while an answer is made: items as they are collected, and the body.
const copies = 2

// itemBytesPerStep is how many bytes of items that are read count as one step.
const itemBytesPerStep = 64

// reserveAnswer waits until there is memory for the answer of a request that reads much.
func (a *request) reserveAnswer(in input) error {
	large, ok := in.(largeAnswer)
	if !ok {
		return nil
	}
	a.work.EndTurn()
	return a.memory.Advance(a.ctx, copies*large.answerBytes())
}

// holdAnswer counts bytes that were written for an answer.
func (a *request) holdAnswer(bytes int) error { return a.budget().Grow(copies * bytes) }

// holdRequest counts what a large body becomes: values as they are stored, in the request's memory and in the store's, and in the
// log of changes.
func (a *request) holdRequest(body []byte) error {
	if len(body) <= promised {
		return nil
	}
	return a.budget().Grow(len(body))
}

// repeatable reports whether an operation only reads, so that its answer may be withheld when there is no memory for it.
func repeatable(operation string) bool {
	switch operation {
	case "BatchGetItem", "GetItem", "GetRecords", "Query", "Scan", "TransactGetItems":
		return true
	}
	return false
}

// busyError refuses a request because those under way hold all the memory that they may, as the service throttles an account
// that asks for too much: RequestLimitExceeded where the model of the operation has it, ThrottlingException, which all operations
// have in common, elsewhere. SDKs try both again.
func busyError(operation string) *Error {
	switch operation {
	case "BatchGetItem", "BatchWriteItem", "DeleteItem", "GetItem", "PutItem", "Query", "Scan", "TransactGetItems", "TransactWriteItems", "UpdateItem":
		return dynamoError("RequestLimitExceeded", overTheQuota)
	}
	return dynamoError(throttlingEx, tooFast)
}
