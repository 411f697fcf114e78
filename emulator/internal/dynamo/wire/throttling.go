package wire

import "github.com/tabletop-db/tabletop/emulator/internal/jsonwrite"

// BusyError returns the error for a request that found no memory, because requests in progress hold all of it. It looks
// as if the service throttled the account: RequestLimitExceeded if the operation's model has it, else
// ThrottlingException, which all operations have. SDKs retry both.
func BusyError(operation string) *Error {
	switch operation {
	case "BatchExecuteStatement", "BatchGetItem", "BatchWriteItem", "DeleteItem", "ExecuteStatement",
		"ExecuteTransaction", "GetItem", "PutItem", "Query", "Scan", "TransactGetItems", "TransactWriteItems", "UpdateItem":
		return DynamoError("RequestLimitExceeded", AccountLimitExceeded)
	}
	return DynamoError(ThrottlingException, rateExceeded)
}

// The messages of throttled requests, as AWS documents them at TransactionCanceledException, in "Diagnosing throttling"
// and in "Error handling with DynamoDB".
const (
	TableExceeded = "The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning level with the UpdateTable API."
	IndexExceeded = "The level of configured provisioned throughput for one or more global secondary indexes of the table was exceeded. " +
		"Consider increasing your provisioning level for the under-provisioned global secondary indexes with the UpdateTable API."
	TableScaling = "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or index so please try again shortly. " +
		"If exceptions persist, check if you have a hot key: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html"
	IndexScaling                  = "Throughput exceeds the current capacity for one or more global secondary indexes. DynamoDB is automatically scaling your index so please try again shortly."
	MaxOnDemandExceeded           = "Throughput exceeds the maximum OnDemandThroughput configured on table or index"
	AccountLimitExceeded          = "Throughput exceeds the current throughput limit for your account. To request a limit increase, contact AWS Support at https://aws.amazon.com/support."
	rateExceeded                  = "Rate of requests exceeds the allowed throughput."
	ProvisionedThroughputExceeded = "ProvisionedThroughputExceededException"
	ThrottlingException           = "ThrottlingException"
)

// ThrottlingReason is the limit that was exceeded, and the ARN of the resource.
type ThrottlingReason struct{ Reason, Resource string }

// CancellationCode returns the code of the error as a cancellation reason.
func (e *Error) CancellationCode() string {
	if e.Name() == ProvisionedThroughputExceeded {
		return "ProvisionedThroughputExceeded"
	}
	return "ThrottlingError"
}

// appendThrottling writes the reasons. One of the exceptions spells their member in lower case (its shape in the SDKs).
func (e *Error) appendThrottling(dst []byte) []byte {
	name := `,"ThrottlingReasons":[`
	if e.Name() == ThrottlingException {
		name = `,"throttlingReasons":[`
	}
	dst = append(dst, name...)
	for i, r := range e.Throttling {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsonwrite.AppendString(append(dst, `{"reason":`...), r.Reason)
		dst = jsonwrite.AppendString(append(dst, `,"resource":`...), r.Resource)
		dst = append(dst, '}')
	}
	return append(dst, ']')
}
