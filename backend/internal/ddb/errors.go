package ddb

import (
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"github.com/tabletop-db/tabletop/backend/internal/retry"
)

// Failures of the database that the request did not cause.
var (
	ErrBusy        = errors.New("the database is too busy; " + retry.Advice)
	ErrConflict    = errors.New("another request is changing the same item") // wrapped together with ErrBusy
	ErrUnreachable = errors.New("the database did not respond; " + retry.Advice)
	ErrNoTables    = errors.New("the tables are missing; create them with: tabletop tables create")
)

// ConditionFailed reports whether the condition of a single write did not hold.
func ConditionFailed(err error) bool {
	_, failed := FailedItem(err)
	return failed
}

// FailedItem returns the item that failed the condition of a single write; nil if there is none, or the write did not
// ask for it (ReturnValuesOnConditionCheckFailure). failed is false for any other error, and for none.
func FailedItem(err error) (stored Item, failed bool) {
	var e *types.ConditionalCheckFailedException
	if !errors.As(err, &e) {
		return nil, false
	}
	return e.Item, true
}

// MapError maps an error of the SDK to an error with a remedy: ErrNoTables, ErrUnreachable or ErrBusy. A request that
// the database rejects as invalid is a bug of this program, and its error stays as it is.
func MapError(err error) error {
	var notFound *types.ResourceNotFoundException
	var apiErr smithy.APIError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &notFound):
		return fmt.Errorf("%w (%w)", ErrNoTables, err)
	case !errors.As(err, &apiErr):
		return fmt.Errorf("%w (%w)", ErrUnreachable, err)
	}
	switch apiErr.ErrorCode() {
	case "ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded",
		"TransactionInProgressException", "TransactionConflictException", "InternalServerError", "InternalFailure",
		"ServiceUnavailable":
		return fmt.Errorf("%w (%w)", ErrBusy, err)
	}
	return err
}

// OldItem returns the item that failed the condition of an action of a transaction, if the action asked for it
// (ReturnValuesOnConditionCheckFailure). It returns nil when there is no item or it is not known.
func OldItem(txErr error, action int) Item {
	var cancelled *types.TransactionCanceledException
	if !errors.As(txErr, &cancelled) || action >= len(cancelled.CancellationReasons) {
		return nil
	}
	return cancelled.CancellationReasons[action].Item
}

// MapTransactionError maps the error of a transaction. When conditions failed, failedConditions has the indexes of
// their actions in order, and err is nil. Conflicts with other requests and throttling are transient and become
// ErrBusy; MapError maps any other error.
func MapTransactionError(txErr error) (failedConditions []int, err error) {
	var cancelled *types.TransactionCanceledException
	if !errors.As(txErr, &cancelled) {
		return nil, MapError(txErr)
	}
	busy, conflict := false, false
	for i, reason := range cancelled.CancellationReasons {
		switch aws.ToString(reason.Code) {
		case "ConditionalCheckFailed":
			failedConditions = append(failedConditions, i)
		case "TransactionConflict":
			conflict = true
		case "ThrottlingError", "ProvisionedThroughputExceeded":
			busy = true
		}
	}
	switch {
	case len(failedConditions) > 0:
		return failedConditions, nil
	case conflict:
		return nil, fmt.Errorf("%w (%w: %w)", ErrBusy, ErrConflict, txErr)
	case busy:
		return nil, fmt.Errorf("%w (%w)", ErrBusy, txErr)
	}
	return nil, MapError(txErr)
}
