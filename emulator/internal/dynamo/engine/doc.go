// Package engine is what all operations of DynamoDB stand on: accounts with their tables, keys and indexes, the change
// of an item, what it costs, and the change of a table. Streams, backups and encryption follow tables as planes, which
// the engine does not know by name.
//
// What a request names, and what policies and faults go by, its input tells of itself: see ResourceRef, Traits and
// PolicyValues.
package engine
