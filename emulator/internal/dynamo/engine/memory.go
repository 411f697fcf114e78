package engine

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"

// The sizes in bytes that are taken ahead for answers before they are made. What an answer turns out to take is counted
// then.
const (
	PageBytes = 1 << 20   // of Query, Scan and GetRecords: the service's limit of a page
	ItemBytes = 400 << 10 // of one item, the service's limit
)

// Copies is how often what is read is in memory while an answer is made: items as they are collected, and the body.
const Copies = 2

// ItemBytesPerStep is how many bytes of items that are read count as one step.
const ItemBytesPerStep = 64

// ReserveAnswer waits until there is memory for the answer of a request that reads much.
func (a *Request) ReserveAnswer(in wire.Input) error {
	large, ok := in.(largeAnswer)
	if !ok {
		return nil
	}
	a.Work.EndTurn()
	return a.Memory.Advance(a.Context, Copies*large.AnswerBytes())
}

// HoldAnswer counts bytes that were written for an answer.
func (a *Request) HoldAnswer(bytes int) error { return a.Budget().Grow(Copies * bytes) }

// HoldRequest counts what a large body becomes: values as they are stored, in the request's memory and in the store's,
// and in the log of changes.
func (a *Request) HoldRequest(body []byte) error {
	if len(body) <= Promised {
		return nil
	}
	return a.Budget().Grow(len(body))
}

// Repeatable reports whether an operation only reads, so that its answer may be withheld when there is no memory for
// it.
func Repeatable(operation string) bool {
	switch operation {
	case "BatchGetItem", "GetItem", "GetRecords", "Query", "Scan", "TransactGetItems":
		return true
	}
	return false
}

// Promised is the size in bytes of a body for which there is room before it comes: its length is a promise, and more is
// taken as it comes.
const Promised = 64 << 10
