// Package expr implements DynamoDB's expressions: conditions and filters, key conditions, updates and projections. It
// also has the legacy parameters (Expected, AttributeUpdates, KeyConditions, QueryFilter, ScanFilter, AttributesToGet),
// which it translates to the same trees. It parses expressions, evaluates them on item.Value, and reports their errors
// in the service's words. It knows neither requests nor the store.
//
// Every error is an *Error, from which the caller makes a ValidationException. Errors that are not Runtime depend on
// the request alone; PutItem, UpdateItem and DeleteItem prefix them with "1 validation error detected: ".
//
// # The order of checks
//
// All expressions of a request share one Placeholders: Check is called before the first one is parsed, Unused after the
// last. For each expression the service checks, in this order:
//
//  1. the length of the text, at most 4096 bytes;
//  2. the syntax, and redundant parentheses;
//  3. functions, reserved words and list indices, in the order of the text;
//  4. placeholders and the operands of each operator, in the order of the text, operands first. For an update it
//     checks the targets, and that they do not overlap, before the operands, both from the last action to the first;
//  5. the number of operators.
//
// # Sources
//
// The messages are the service's as recorded by the tests of dynalite, the conformance suites (nubo-db, paritysuite)
// and ScyllaDB; where they differ, the newest applies. DynamoDB Local 3.3.1 has the service's parser, and settled what
// they leave open: tokens and "near" texts, the order of checks, limits, and the value of every condition in testdata.
// It differs from the service in some messages about key conditions, in allowing an attribute with the name size, and
// in its messages for sums of more than 38 digits.
//
// Known differences from the service: where several actions of an update do not fit an item, the service reports one of
// them in hash-table order, this package the first; of two overlapping paths, the service may name another path as the
// second, this package names the one that overlaps; and the service may report a dot without a name after it one token
// later.
package expr
