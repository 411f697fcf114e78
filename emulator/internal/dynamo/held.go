package dynamo

// The sizes in bytes that are reserved for answers before they are made. What an answer turns out to take is counted then.
const (
	pageBytes = 1 << 20   // of Query, Scan and GetRecords: the service's limit of a page
	itemBytes = 400 << 10 // of one item, the service's limit
)

// reserveAnswer waits until there is memory for the answer of a request that reads much.
func (a *caller) reserveAnswer(in request) error {
	var bytes int64
	switch in := in.(type) {
	case *QueryInput, *ScanInput, *getRecordsInput:
		bytes = pageBytes
	case *BatchGetItemInput:
		for i := range in.RequestItems {
			bytes += int64(len(in.RequestItems[i].keys)) * itemBytes
		}
		bytes = min(bytes, maxBatchReadBytes)
	case *TransactGetItemsInput:
		bytes = min(int64(len(in.TransactItems))*itemBytes, maxTransaction)
	default:
		return nil
	}
	a.work.EndTurn()
	return a.memory.Reserve(a.ctx, a.memory.Bytes()+bytes)
}

// repeatable reports whether an operation only reads, so that its answer may be withheld when there is no memory for it.
func repeatable(operation string) bool {
	switch operation {
	case "BatchGetItem", "GetItem", "GetRecords", "Query", "Scan", "TransactGetItems":
		return true
	}
	return false
}

// busyError refuses a request because those under way hold all the memory that they may. SDKs try it again.
func busyError() *Error { return dynamoError(throttlingEx, tooFast) }
