// Package expiry deletes expired data for both services. The store has one entry for each item that expires, sorted by
// the second of its expiry. A timer on the clock is set for the first entry, and a sweep purges all entries that are
// due.
//
// An entry that cannot be purged stays and is retried a minute later. It does not delay other entries.
package expiry
