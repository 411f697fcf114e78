// Package streams has the streams of tables: what a table's change log shows to those who follow the table, in shards
// that follow its partitions.
package streams
