// Package builtin is the system functions of the query language of Azure Cosmos DB for NoSQL, its aggregates among
// them.
//
// The rules of all of them: an argument of another type than the documented one, and an undefined one, make the result
// undefined, unless the function is about types (IS_DEFINED and its kind) or chooses between its arguments (IIF,
// CHOOSE). A number may be infinite or NaN inside of a query: the language refuses to write it. No function fails: the
// language itself refuses unknown names and wrong counts of arguments, by Lookup. Positions and lengths of strings are
// in characters (Unicode code points), as Microsoft's own model of the service counts them.
package builtin
