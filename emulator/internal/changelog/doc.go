// Package changelog keeps what was changed, in the order in which it was: one log for each table or container that
// somebody wants to follow or to wind back. It feeds streams, change feeds and point-in-time recovery, and knows
// nothing of any of them.
//
// # Positions
//
// A change is appended in the transaction that makes it, so the one is there if and only if the other is. Its
// [Position] is unique in its log, greater than that of every earlier change of the log, and its time: the clock's, in
// nanoseconds, or one more than the last where the clock stands still. Changes of one key have their order; a log that
// is emptied, restored from a snapshot or opened again goes on behind its last position.
//
// # Reading behind writers
//
// A position is given before the transaction commits, so a reader could see a change before one of a lower position. A
// writer therefore takes a [Ticket] before its transaction and gives it back once that is durable, and readers stop at
// [Log.Floor]: whatever is at or below it is there, and nothing more will come.
//
// # Keys
//
// A change lies under keyspace.Changes, the log's id in four bytes and the position in eight. Under a log's greatest
// position, which no change has, is the position from which it goes on, written where the log's own changes do not tell
// it.
package changelog
