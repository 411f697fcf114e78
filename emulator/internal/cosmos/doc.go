// Package cosmos is the emulated Azure Cosmos DB for NoSQL: the gateway's REST interface, as its SDKs speak it, over the
// emulator's store, clock and rules of faults. It shares nothing with DynamoDB but these.
//
// # Operations
//
// One table, [operations], says which operations exist: by the kind of resource, the method, and what the headers make of
// it. An operation is a method of [call] in a file of its name. It reads the request, runs in at most one transaction, and
// answers by a [response]; or it returns an [Error], which alone is then the answer. What is not supported is refused
// with 400, never answered otherwise than asked.
//
// # The order of checks
//
//  1. the path: a kind of resource that there is, else 400
//  2. the size of the body: 413
//  3. the signature: 401; a token of somebody's permission: 403
//  4. the operation: 405
//  5. the faults that a rule wants
//  6. the database and the container: 404, substatus 1003 for an owner that is missing
//  7. headers, partition key, body: 400
//  8. the session token: 404, substatus 1002
//  9. request units: 429, substatus 3200
//  10. the item and its conditions: 404, 409, 412
//
// # What is stored
//
// Everything lies under one letter of the store; see keys.go. A write changes an item, its place in the list of latest
// changes, its index entries and its unique keys in one commit, under a latch on its logical partition: see [transaction].
package cosmos
