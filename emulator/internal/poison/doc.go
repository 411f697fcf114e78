// Package poison detects the use of released memory in tests. Requests share memory through pools, and values of the
// store are in memory of its cache: code that keeps such memory reads what another request has written there, which may
// be the same bytes, so that tests do not notice.
//
// With the build tag poison, released memory is overwritten and not reused: what is read from it is wrong at once, and
// a call through it panics. Without the tag the package does nothing and costs nothing.
package poison
