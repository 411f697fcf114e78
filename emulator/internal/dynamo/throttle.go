package dynamo

import (
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/capacity"
	"github.com/tabletop-db/tabletop/emulator/internal/jsonwrite"
)

// The texts of throttled requests, as AWS documents them at TransactionCanceledException, in "Diagnosing throttling" and in
// "Error handling with DynamoDB".
const (
	tableExceeded = "The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning level with the UpdateTable API."
	indexExceeded = "The level of configured provisioned throughput for one or more global secondary indexes of the table was exceeded. " +
		"Consider increasing your provisioning level for the under-provisioned global secondary indexes with the UpdateTable API."
	tableScaling = "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or index so please try again shortly. " +
		"If exceptions persist, check if you have a hot key: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html"
	indexScaling  = "Throughput exceeds the current capacity for one or more global secondary indexes. DynamoDB is automatically scaling your index so please try again shortly."
	overMaximum   = "Throughput exceeds the maximum OnDemandThroughput configured on table or index"
	overTheQuota  = "Throughput exceeds the current throughput limit for your account. To request a limit increase, contact AWS Support at https://aws.amazon.com/support."
	tooFast       = "Rate of requests exceeds the allowed throughput."
	provisionedEx = "ProvisionedThroughputExceededException"
	throttlingEx  = "ThrottlingException"
)

// throttledError is the service's answer to a request that was refused for its throughput.
func throttledError(t *capacity.Throttled) *Error {
	e := throttledAs(t)
	e.throttling = []throttlingReason{{t.Reason(), t.Resource.ARN()}}
	return e
}

func throttledAs(t *capacity.Throttled) *Error {
	switch {
	case t.Limit == capacity.AccountLimit:
		return dynamoError("RequestLimitExceeded", overTheQuota)
	case t.Limit == capacity.MaxOnDemand && t.Index && t.Write:
		return dynamoError(provisionedEx, overMaximum) // of this type, unlike the others (observed on AWS, 2026)
	case t.Limit == capacity.MaxOnDemand:
		return dynamoError(throttlingEx, overMaximum)
	case t.OnDemand && t.Index && t.Write:
		return dynamoError(throttlingEx, indexScaling)
	case t.OnDemand:
		return dynamoError(throttlingEx, tableScaling)
	case t.Index:
		return dynamoError(provisionedEx, indexExceeded)
	}
	return dynamoError(provisionedEx, tableExceeded)
}

// throttlingReason says what was exceeded, and whose it was.
type throttlingReason struct{ reason, resource string }

// asThrottled is the error of a request that was refused for its throughput.
func asThrottled(err error) (*Error, bool) {
	var e *Error
	ok := errors.As(err, &e) && e.throttling != nil
	return e, ok
}

// cancellation is the reason's name in a cancelled transaction.
func (e *Error) cancellation() string {
	if e.name() == provisionedEx {
		return "ProvisionedThroughputExceeded"
	}
	return "ThrottlingError"
}

// appendThrottling writes the reasons, whose member one of the exceptions has in lower case (its shape in the SDKs).
func (e *Error) appendThrottling(dst []byte) []byte {
	name := `,"ThrottlingReasons":[`
	if e.name() == throttlingEx {
		name = `,"throttlingReasons":[`
	}
	dst = append(dst, name...)
	for i, r := range e.throttling {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsonwrite.AppendString(append(dst, `{"reason":`...), r.reason)
		dst = jsonwrite.AppendString(append(dst, `,"resource":`...), r.resource)
		dst = append(dst, '}')
	}
	return append(dst, ']')
}
