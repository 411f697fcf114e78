// Package streams has DynamoDB Streams: the stream of a table is a view of its change log, divided into shards that
// follow time and the table's partitions.
package streams
