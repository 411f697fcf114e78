// Package statements contains the operations of PartiQL: ExecuteStatement, BatchExecuteStatement and
// ExecuteTransaction. Package partiql parses and compiles a statement; this package plans it for its table, and package
// data runs it.
//
// # The order of checks
//
//  1. constraints on single members, joined into one message
//  2. the values of the parameters
//  3. the checks of the statement that need no table: see package partiql
//  4. the table, the index, ConsistentRead
//  5. the keys that the WHERE clause chooses, ORDER BY, and attributes that an index does not project
//  6. conditions, and other checks of the stored item
//
// The sources are those of package partiql; comments name others.
package statements
