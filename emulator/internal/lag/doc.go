// Package lag shows a store's state as a replica or an index shows it that has not yet heard of the newest writes. It
// knows keys and values, no tables and items.
//
// The stored state is always the current one. For each write whose news is still on its way an [Overlay] holds what was
// there before, and when each replica shows what is there now. A [View] reads the store through it: puts that have not
// arrived are hidden, values that have not arrived are the older ones, and deletes that have not arrived have not
// happened.
//
// # When a write is seen
//
// Every write draws its delays from a seed. Nothing of the service's own delays is published but that reads are usually
// consistent within a second, and that indexes follow within a fraction of one; these figures are ours, with that
// shape:
//
//	                      half within   9 in 10   99 in 100   999 in 1000   all
//	replicas of a table          4 ms     10 ms       50 ms        200 ms   1 s
//	a global index              20 ms    100 ms      500 ms           2 s   5 s
//
// A table has three replicas: the leader, which takes the writes and is current, and two others, each with delays of
// its own. A global index has one view, with one delay for each write. On its way a write never passes an earlier one
// of the same lane, which is an item in a table or in an index: no replica goes back in time.
//
// # What is pinned
//
// A [Moment] is what a replica shows when it is pinned: the writes that were committed and had arrived by then.
// Whatever the clock does while a view of it runs, nothing arrives in it; what it hides is kept until it is released.
// Within one request the index, the table and the feed therefore agree.
//
// Delays are of the emulator's clock: on one that stands still, nothing arrives until it is moved.
package lag
