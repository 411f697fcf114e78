// Package cosmos is the emulated Azure Cosmos DB for NoSQL: the gateway's REST interface, as its SDKs speak it, over
// the emulator's store, clock and rules of faults. It shares nothing with DynamoDB but these.
//
// # Operations
//
// One table, [handlers], says which operations exist: by the kind of resource, the method, and what the headers make of
// it. An operation is a function of [operation.Call] in a file of its name, in the packages items, query, scripts and
// resources. It sees nothing of HTTP, which the [exchange] here reads and writes. What is not supported is refused with
// 400, never answered otherwise than asked.
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
// # Packages
//
// From the lowest to the highest, each of which knows those before it alone:
//
//	doc, sql, patch, script   documents and the languages over them, which know neither HTTP nor the store
//	continuation, wire        tokens of pages; paths, resource ids, errors and answers
//	throughput, index         the rules of request units and of indexes
//	engine                    databases, containers, partitions and items, in the store
//	operation                 what all operations share
//	auth                      who may do what
//	query                     operations that read many items
//	scripts                   stored procedures and triggers
//	items                     operations on items
//	resources                 operations on all else
//	cosmos                    HTTP, faults, and the table of operations
package cosmos
