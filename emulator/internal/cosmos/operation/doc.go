// Package operation has what all operations share.
//
// An operation is a function of a [Call], in a file of its name in one of the packages items, query, scripts and
// resources. It has two halves, which [Do] runs: one reads its input from the [Request] and refuses what is wrong with
// that, the other does it in a [Run], which knows nothing of the request. It runs in at most one transaction and
// answers by the run's Out; or it returns an error, which alone is then the answer.
package operation
