// Package partiql implements the language of the PartiQL statements that DynamoDB accepts: SELECT, INSERT, UPDATE,
// DELETE, and EXISTS in a transaction. Parse turns a text into a Statement; Compile does all checks of a Statement and
// its parameters that need no table, and converts it to the conditions, updates, projections and items of packages expr
// and item. It knows neither requests nor tables.
//
// # The order of checks
//
//  1. the tokens, and the syntax ("Statement wasn't well formed, can't be processed: …")
//  2. the kind of statement, aliases, and the number of parameters
//  3. literals, types and names of functions: the WHERE clause in the order of the text, then the other clauses
//  4. MISSING outside IS
//  5. operands of functions and operators
//
// # Sources
//
// The messages are the service's as recorded by paritysuite/dynamodb-conformance (partiqlGrammar, partiqlFunctions,
// grammar, whereFunctions, setFunctions, fromFirstUpdate; October 2026), by nubo-db/dynamodb-conformance (August 2026)
// and by nubo-db/dynoxide (captures in eu-west-2 and us-east-1 of 2026-10-09). Comments mark behaviour that no
// recording shows.
package partiql
