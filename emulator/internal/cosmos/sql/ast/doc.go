// Package ast is the syntax tree of the SQL of Azure Cosmos DB for NoSQL: its nodes, and a printer that gives canonical
// SQL.
//
// The tree is plain data: who rewrites a query copies the nodes it changes. Canonical SQL has double-quoted strings, AS
// before each alias, and parentheses around each operation, so that what is printed reads back as the same tree.
package ast
