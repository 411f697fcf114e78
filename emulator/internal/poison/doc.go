// Package poison makes the use of memory that was given back turn up in tests. Requests share memory by pools, and
// values of the store lie in memory of its cache: whoever keeps such memory reads what another request has written
// there, which may be the same, so that tests see nothing.
//
// With the build tag poison, memory that is given back is overwritten and not used again: what is read of it is wrong
// at once, and a call through it panics. Without the tag the package does nothing, and costs nothing.
package poison
