// Package history shows earlier states of tables that have point-in-time recovery: a table as it was at a moment, the
// versions of an item, and the difference of two moments. Its operations are not DynamoDB's; the web console uses them.
//
// # How it reads
//
// The log of a table holds the image before each change. So at a moment, an item that changed since had the image
// before its first later change, and every other item was as it is now. An [overlay] finds these first changes in the
// log; a page merges them with the current items, in the order of keys, from one snapshot of the store. Nothing is
// copied, and no snapshot outlives a request.
//
// # Bounds
//
// A page ends after engine.PageSteps of work, engine.PageBytes, or its limit, and the next request continues it. An
// overlay holds only keys and positions, of a range of keys if there are many; a few overlays are kept for a minute for
// the next pages.
package history
