// Package data has the operations on items, each in a file of its name. An operation consists of an input that decodes
// and checks itself, a function that runs it, and an output that writes itself.
//
// Query and Scan share [page], which reads a range of keys from one snapshot; the single-item writes share
// [writeRequest]; TransactWriteItems is a [transaction].
package data
