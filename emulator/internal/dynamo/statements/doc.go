// Package statements contains the operations of PartiQL: ExecuteStatement, BatchExecuteStatement and
// ExecuteTransaction. A statement is parsed and compiled by package partiql, planned here once its table is known, and
// run by the machinery of package data.
//
// # The order of checks
//
//  1. constraints on single members, joined into one message
//  2. the values of the parameters
//  3. the statement, as far as no table is needed: see package partiql
//  4. the table, the index, ConsistentRead
//  5. the keys that the WHERE clause chooses, ORDER BY, and attributes that an index does not project
//  6. conditions, and what depends on the stored item
//
// The sources are those of package partiql; files name others.
package statements
