// Package ast defines the syntax tree of the SQL of Azure Cosmos DB for NoSQL, and a printer for canonical SQL.
//
// The tree is plain data: to rewrite a query, copy the nodes to change. Canonical SQL has double-quoted strings, AS
// before each alias, and parentheses around each operation, so that parsing it yields the same tree.
package ast
