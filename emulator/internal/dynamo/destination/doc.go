// Package destination delivers the changes of tables to Kinesis streams.
//
// # Delivery
//
// The changes of a table with a destination are in its log (package changelog), written in the transactions that make
// them. Each request that reads or writes the stream first copies them to it. So every reader sees a change
// immediately, and writes to a table with a destination are as fast as to a table with a stream. One transaction stores
// the copies and the progress of the delivery: each change is delivered once, in the order of the log, even after a
// crash. Changes that no request has read expire in the log after 24 hours, as they would in the stream.
//
// Disabling a destination delivers the remaining changes; deleting a table disables its destination. If the stream no
// longer exists, nothing is delivered, and the destination stays ACTIVE, as on the service.
//
// # Records
//
// Records have the form of those that users of the service published from 2021 to 2024: see record.go.
package destination
