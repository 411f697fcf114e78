// Package pointintime shows earlier states of tables and containers whose change logs hold the image before each
// change: a table as it was at a moment, the versions of an item, and how much changed. It knows neither DynamoDB nor
// Cosmos DB.
//
// # How it reads
//
// At a moment, an item that changed since had the image before its first later change, and every other item was as it
// is now. A [View] finds these first changes in the log; a page merges them with the current rows, in the order of
// keys, from one snapshot of the store. Nothing is copied, and no snapshot outlives a request.
//
// # Bounds
//
// A page ends after its share of work, and the next request continues it. A View holds only keys and positions, of a
// range of keys if there are many; a few are kept for a minute for the next pages. Each range of an index reads the
// changes since the moment once.
package pointintime
