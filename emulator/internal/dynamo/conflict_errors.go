package dynamo

import "errors"

// ongoing is what the service says of an item that a transaction uses (API reference, TransactionCanceledException; quoted so
// by users of TransactionConflictException).
const ongoing = "Transaction is ongoing for the item"

const transactionConflict = "TransactionConflictException"

// errConflict is for a write of an item that a transaction uses.
func errConflict() *Error { return dynamoError(transactionConflict, ongoing) }

// meetsTransaction says whether a write was refused because a transaction uses its item.
func meetsTransaction(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Type == dynamodb2012+transactionConflict
}

// errInProgress is for a request whose token another one under way has. Its words are those of the API reference; what the
// service answers is not known.
func errInProgress() *Error {
	return dynamoError("TransactionInProgressException", "The transaction with the given request token is already in progress.")
}

// conflicted cancels a transaction for the items that someone else uses.
func conflicted(conflicts []bool) *Error {
	reasons := make([]cancellationReason, len(conflicts))
	for i, met := range conflicts {
		if met {
			reasons[i] = cancellationReason{Code: "TransactionConflict", Message: ongoing}
		}
	}
	return transactionCanceled(reasons)
}
