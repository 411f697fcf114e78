package data

import (
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// meetsTransaction says whether a write was refused because a transaction uses its item.
func meetsTransaction(err error) bool {
	var e *wire.Error
	return errors.As(err, &e) && e.Type == wire.Dynamodb2012+engine.TransactionConflict
}

// errInProgress is for a request whose token another one under way has. Its words are those of the API reference; what
// the service answers is not known.
func errInProgress() *wire.Error {
	return wire.DynamoError("TransactionInProgressException", "The transaction with the given request token is already in progress.")
}

// conflicted cancels a transaction for the items that someone else uses.
func conflicted(conflicts []bool) *wire.Error {
	reasons := make([]wire.CancellationReason, len(conflicts))
	for i, met := range conflicts {
		if met {
			reasons[i] = wire.CancellationReason{Code: "TransactionConflict", Message: engine.Ongoing}
		}
	}
	return TransactionCanceled(reasons)
}
