// Package ddb is what the stores of all systems share: how items and Go values become each other, how a query is
// paged, and how the errors of the SDK are sorted into those that a caller can do something about.
package ddb
