// Package dynamo is the DynamoDB service: its wire protocol, tables and operations, over a store.
//
// An operation is three things in a file of its name: an input that decodes and checks itself, a function
// that runs it, and an output that writes itself. The function never sees HTTP.
//
// # The order of checks
//
// A request that is wrong in several ways is refused for the first of these, as the service does it:
//
//  1. method, path and content type; the size of the body (server.go)
//  2. whether the body is JSON
//  3. the operation, from X-Amz-Target
//  4. the credentials' form (auth.go)
//  5. the JSON types of all that the operation knows of (decode: SerializationException)
//  6. constraints on single members, joined into one message (check, constraints.go)
//  7. members against each other, then attribute values, then expressions (check)
//  8. the table, the index (table.go)
//  9. keys against the schema (key.go)
//  10. conditions, and what depends on the stored item: its size, its index keys (change.go)
//
// What differs in one operation stands in its file, with the source that showed it. The sources are named
// by what recorded them: AWS's documentation; dynalite (2013 on); nubo-db/dynamodb-conformance (2026-05);
// nubo-db/dynoxide and paritysuite/dynamodb-conformance (2026, captures of AWS, the newest).
package dynamo
