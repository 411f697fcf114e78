// Package changelog records changes in order, in one log for each table or container with a stream, a change feed or
// point-in-time recovery. It knows nothing of these.
//
// # Positions
//
// A change is appended in the transaction that makes it, so that either both are stored or neither is. The [Position]
// of a change is unique in its log, greater than that of every earlier change, and its time: the clock's, in
// nanoseconds, or one more than the last if the clock stands still. So the changes of one key are in order. A log that
// was emptied, restored from a snapshot or reopened continues after its last position.
//
// # Readers and writers
//
// A position is assigned before the transaction commits, so a reader could see a change before one with a lower
// position. Therefore a writer takes a [Ticket] before its transaction and ends it when the transaction is durable, and
// readers stop at [Log.Floor]: every change at or below it is visible, and no more will follow.
//
// # Keys
//
// The key of a change is keyspace.Changes, the log's id in four bytes and the position in eight. No change has the
// greatest position: its key holds the last assigned position, written when the log's changes do not show it.
package changelog
