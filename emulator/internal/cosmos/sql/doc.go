// Package sql is the SQL of Azure Cosmos DB for NoSQL: Parse reads a query, Compile binds it to its parameters, and the
// Program runs over documents that a Source brings.
package sql
