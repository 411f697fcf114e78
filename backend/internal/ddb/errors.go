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
	ErrBusy       = errors.New("the database is too busy; " + retry.Again)
	ErrConflict   = errors.New("another request is changing the same item") // wrapped together with ErrBusy
	ErrNoDatabase = errors.New("the database did not respond; " + retry.Again)
	ErrNoTables   = errors.New("the tables are missing; create them with: tabletop tables create")
)

// Unmet reports whether the condition of a single write did not hold.
func Unmet(err error) bool {
	var failed *types.ConditionalCheckFailedException
	return errors.As(err, &failed)
}

// Failure maps an error of the SDK to an error with a remedy: ErrNoTables, ErrNoDatabase or ErrBusy. A request that the
// database rejects as invalid is a bug of this program, and its error stays as it is.
func Failure(err error) error {
	var missing *types.ResourceNotFoundException
	var answered smithy.APIError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &missing):
		return fmt.Errorf("%w (%w)", ErrNoTables, err)
	case !errors.As(err, &answered):
		return fmt.Errorf("%w (%w)", ErrNoDatabase, err)
	}
	switch answered.ErrorCode() {
	case "ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded",
		"TransactionInProgressException", "TransactionConflictException", "InternalServerError", "InternalFailure",
		"ServiceUnavailable":
		return fmt.Errorf("%w (%w)", ErrBusy, err)
	}
	return err
}

// Old returns the item that failed the condition of a member of a transaction, if the member asked for it
// (ReturnValuesOnConditionCheckFailure). It returns nil when there is no item or it is not known.
func Old(failed error, member int) Item {
	var cancelled *types.TransactionCanceledException
	if !errors.As(failed, &cancelled) || member >= len(cancelled.CancellationReasons) {
		return nil
	}
	return cancelled.CancellationReasons[member].Item
}

// Cancelled sorts the error of a transaction. When conditions failed, unmet lists the indexes of their members in
// order, and err is nil. Conflicts with other requests and throttling are transient and become ErrBusy; Failure maps
// any other error.
func Cancelled(failed error) (unmet []int, err error) {
	var cancelled *types.TransactionCanceledException
	if !errors.As(failed, &cancelled) {
		return nil, Failure(failed)
	}
	busy, conflict := false, false
	for i, reason := range cancelled.CancellationReasons {
		switch aws.ToString(reason.Code) {
		case "ConditionalCheckFailed":
			unmet = append(unmet, i)
		case "TransactionConflict":
			conflict = true
		case "ThrottlingError", "ProvisionedThroughputExceeded":
			busy = true
		}
	}
	switch {
	case len(unmet) > 0:
		return unmet, nil
	case conflict:
		return nil, fmt.Errorf("%w (%w: %w)", ErrBusy, ErrConflict, failed)
	case busy:
		return nil, fmt.Errorf("%w (%w)", ErrBusy, failed)
	}
	return nil, Failure(failed)
}
