// Package doc is the values of Azure Cosmos DB for NoSQL: JSON's, and undefined, which is kept apart from null
// everywhere.
//
// A Value is read from JSON by Parse, compared in the service's order of types, written as JSON by Append. Numbers are
// IEEE 754 doubles, as the service documents them. Values do not change: what makes another one, such as With, copies.
package doc
