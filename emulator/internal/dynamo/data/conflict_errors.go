package data

import (
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// IsConflict reports whether a write failed because a transaction, or a request in another region, uses its item.
func IsConflict(err error) bool {
	var e *wire.Error
	return errors.As(err, &e) && (e.Type == wire.DynamoNamespace+engine.TransactionConflict ||
		e.Type == wire.DynamoNamespace+engine.ReplicatedWriteConflict)
}

// errInProgress returns the error for a request whose token another request in progress uses. The message is the API
// reference's; the service's own is not known.
func errInProgress() *wire.Error {
	return wire.DynamoError("TransactionInProgressException",
		"The transaction with the given request token is already in progress.")
}

// TransactionConflicts returns the error for a transaction some of whose items other requests use.
func TransactionConflicts(conflicts []bool) *wire.Error {
	reasons := make([]wire.CancellationReason, len(conflicts))
	for i, conflict := range conflicts {
		if conflict {
			reasons[i] = wire.CancellationReason{Code: "TransactionConflict", Message: engine.TransactionOngoing}
		}
	}
	return TransactionCanceled(reasons)
}
