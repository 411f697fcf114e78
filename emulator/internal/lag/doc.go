// Package lag simulates eventual consistency: it shows a store's state as seen by a replica or an index that has not
// received the newest writes. It knows keys and values, but no tables and items.
//
// The stored state is always the current one. For each write that has not arrived everywhere, an [Overlay] holds the
// previous values of its keys and the time at which each replica shows the write. A [View] reads the store through the
// overlay: it hides inserts that have not arrived, shows the previous value for updates, and the deleted value for
// deletes.
//
// # When a write becomes visible
//
// The delays of each write are random, from a seed. The service publishes only that reads are usually consistent within
// a second, and that indexes follow within a fraction of a second; the following figures are our choice:
//
//	                      half within   9 in 10   99 in 100   999 in 1000   all
//	replicas of a table          4 ms     10 ms       50 ms        200 ms   1 s
//	a global index              20 ms    100 ms      500 ms           2 s   5 s
//
// A table has three replicas: the leader, which takes the writes and is current, and two others, each with its own
// delay for each write. A global index has one view, with one delay for each write. A write never overtakes an earlier
// one with the same order key, which is an item in a table or in an index: no replica goes back in time.
//
// # Moments
//
// A [Moment] is the state that a replica shows when it is pinned: the writes that were committed and had arrived by
// then. Nothing arrives in it later, whatever the clock does; what it hides is kept until it is released. So the index,
// the table and the feed agree within one request.
//
// Delays follow the emulator's clock: while it stands still, nothing arrives.
package lag
