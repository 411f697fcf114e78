// Package operation provides what all Cosmos DB operations share.
//
// An operation is a function of a [Call], in a file of its name in one of the packages items, query, scripts and
// resources. It has two halves, which [Do] runs: one parses and validates the input from the [Request]; the other
// performs the operation in a [Run], which knows nothing of the request. An operation runs in at most one transaction.
// It replies through the run's Out, or returns an error, which then is the whole response.
package operation
