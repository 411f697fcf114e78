package engine

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"

// The bytes that are reserved for a response before it is made. What a response takes beyond that is counted while it
// is made.
const (
	PageBytes = 1 << 20   // a page of Query, Scan or GetRecords: the service's limit
	ItemBytes = 400 << 10 // one item: the service's limit
)

// ResponseCopies is how many times the data that is read is in memory while a response is made: the items, and the
// body.
const ResponseCopies = 2

// ItemBytesPerStep is how many bytes of items read count as one budget step.
const ItemBytesPerStep = 64

// ReserveResponseMemory waits until there is memory for the response of a request that may read much.
func (r *Request) ReserveResponseMemory(in wire.Input) error {
	large, ok := in.(largeResponse)
	if !ok {
		return nil
	}
	r.Work.EndTurn()
	return r.Memory.Advance(r.Context, ResponseCopies*large.ResponseBytes())
}

// CountResponseMemory counts bytes that were written for a response.
func (r *Request) CountResponseMemory(bytes int) error {
	return r.Budget().Grow(ResponseCopies * bytes)
}

// smallBody is the size in bytes of the largest body whose stored values are not counted.
const smallBody = 64 << 10

// CountRequestMemory counts the memory that a large body takes beyond its own: the stored values in the request, in the
// store and in the change log.
func (r *Request) CountRequestMemory(body []byte) error {
	if len(body) <= smallBody {
		return nil
	}
	return r.Budget().Grow(len(body))
}

// IsReadOnly reports whether an operation only reads, so that its response may be withheld when there is no memory for
// it.
func IsReadOnly(operation string) bool {
	switch operation {
	case "BatchGetItem", "GetItem", "GetRecords", "Query", "Scan", "SearchVectors", "TransactGetItems":
		return true
	}
	return false
}
