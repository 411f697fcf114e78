// Package dynamo is the DynamoDB service: its HTTP protocol, authentication and fault injection, and the table of its
// operations (operations.go).
//
// An operation is in a file of its name in one of the packages below. It consists of an input that decodes and checks
// itself, a function that runs it, and an output that writes itself. The function knows nothing of HTTP.
//
// # The order of checks
//
// A request with several mistakes fails at the first of these checks, as in the service:
//
//  1. method, path and content type; the size of the body (server.go)
//  2. whether the body is JSON
//  3. the operation, from X-Amz-Target
//  4. the form of the credentials (auth.go)
//  5. the JSON types of all members that the operation knows (Decode: SerializationException)
//  6. constraints on single members, joined into one message (Check, wire/constraints.go)
//  7. members against each other, then attribute values, then expressions (Check)
//  8. the table, the index (engine/account.go, data/source.go)
//  9. keys against the key schema (engine/key.go)
//  10. conditions, and what depends on the stored item: its size, its index keys (engine/apply.go)
//
// Policies, fault rules and the memory budget decide between steps 7 and 8.
//
// An operation that deviates from this order says so in its file, with the source that shows it. Sources are named by
// who recorded them: AWS's documentation; dynalite (from 2013); nubo-db/dynamodb-conformance (2026-05);
// nubo-db/dynoxide and paritysuite/dynamodb-conformance (2026, captures of AWS, the newest).
package dynamo
