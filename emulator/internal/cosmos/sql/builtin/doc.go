// Package builtin implements the system functions and aggregate functions of the query language of Azure Cosmos DB for
// NoSQL.
//
// Rules common to all functions: if an argument is undefined or has another type than the documented one, the result is
// undefined, except for functions about types (such as IS_DEFINED) or that choose between their arguments (IIF,
// CHOOSE). Numbers may be infinite or NaN within a query: package sql rejects them in rows. No function fails: package
// sql rejects unknown names and wrong numbers of arguments, using Lookup. Positions and lengths of strings are in
// characters (Unicode code points), as in Microsoft's own model of the service.
package builtin
