// Package operation has what all operations share: the [Request] that they read, the [Call] on which they run, and how they
// answer.
//
// An operation is a function of a Call, in a file of its name in one of the packages items, query, scripts and resources. It runs
// in at most one transaction and answers by the call's Out; or it returns an error, which alone is then the answer.
package operation
