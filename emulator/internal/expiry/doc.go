// Package expiry removes what has expired, for both services. What expires is listed in the store, a key an entry, in
// the order of the seconds in which it does; one timer on the clock is set for the first of them, and a sweep purges
// all that is due.
//
// An entry that cannot be purged stays and is tried again a minute later. It keeps no other one from being purged.
package expiry
