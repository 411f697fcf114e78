// Package cosmos emulates Azure Cosmos DB for NoSQL: the gateway's REST API, as the SDKs use it, on the emulator's
// store, clock and fault rules. It shares no other code with the emulated DynamoDB.
//
// # Operations
//
// One table, [handlers], lists all operations by the kind of resource, the HTTP method, and the form that the headers
// give the request. An operation is a function of [operation.Call], in a file of its name in the packages items, query,
// scripts and resources. It does not depend on HTTP: the [exchange] of this package reads the request and writes the
// response. Unsupported requests are rejected with 400 instead of returning something other than the client asked for.
//
// # Order of checks
//
//  1. the path, and the version of the API: 400
//  2. the size of the body: 413
//  3. the signature: 401; for a resource token, its permission: 403
//  4. the operation: 405
//  5. fault rules
//  6. the database and the container: 404, with substatus 1003 for a missing parent
//  7. memory for the response: 429, substatus 3200
//  8. headers, partition key, body: 400
//  9. the session token: 404, substatus 1002
//  10. request units: 429, substatus 3200
//  11. the item and the request's conditions: 404, 409, 412
//
// # Packages
//
// From the bottom up; each imports only those above it in this list:
//
//	doc, sql, patch, script   documents and the languages over them; they depend on neither HTTP nor the store
//	continuation, wire        continuation tokens; paths, resource ids, errors and responses
//	throughput, index         the rules of request units and of indexes
//	engine                    databases, containers, partitions and items, in the store
//	operation                 what all operations share
//	auth                      authentication and authorization
//	query                     operations that read many items
//	scripts                   stored procedures and triggers
//	items                     operations on items
//	resources                 operations on all other resources
//	cosmos                    HTTP, faults, and the table of operations
package cosmos
