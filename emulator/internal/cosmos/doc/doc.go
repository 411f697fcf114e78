// Package doc provides the values of Azure Cosmos DB for NoSQL: those of JSON, and undefined, which is distinct from
// null everywhere.
//
// [Parse] reads a [Value] from JSON, [Compare] orders values as the service does, and [Append] writes them as JSON.
// Numbers are IEEE 754 doubles, as the service documents, but 64-bit integers keep their digits. Values are immutable:
// methods such as With return copies.
package doc
