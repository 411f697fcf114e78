// Package expr holds DynamoDB's expression languages: conditions and filters, key conditions, updates and
// projections, and the parameters that were there before them (Expected, AttributeUpdates, KeyConditions,
// QueryFilter, ScanFilter, AttributesToGet), which become the same trees. It reads them, evaluates them on
// item.Value, and says of wrong ones what the service says. It knows neither requests nor the store.
//
// Every error is an *Error, for the layer above to make a ValidationException of. Those that are not Runtime
// concern the request alone; PutItem, UpdateItem and DeleteItem put "1 validation error detected: " before
// them.
//
// # The order of checks
//
// A request has one Placeholders for all of its expressions: Check comes before the first one is parsed,
// Unused after the last. Within an expression the service looks, in this order, at
//
//  1. the length of the text, 4096 bytes at most;
//  2. the syntax, and redundant parentheses;
//  3. functions, reserved words and list indices, in the order of the text;
//  4. placeholders and the operands of each operator, in the order of the text, operands first. An update
//     has its targets looked at before its operands, which includes that they do not overlap, and both from
//     the last action to the first;
//  5. the number of operators.
//
// # Sources
//
// The messages are those of the service as dynalite's tests, the conformance suites (nubo-db, paritysuite)
// and ScyllaDB's tests recorded them, the newest winning. DynamoDB Local 3.3.1 has the service's parser and
// settled what they leave open: tokens and "near" texts, the order of checks, limits, and the value of every
// condition in testdata. It differs from the service in some messages about key conditions, in letting size
// be an attribute, and in its words for sums of more than 38 digits.
//
// Known differences: where several actions of an update do not fit an item, the service reports one by the
// order of a hash table, and here it is the first; the second of two overlapping paths is likewise here the
// one in the way; and a dot with no name after it may be found one token later there.
package expr
