// Package destination delivers the changes of tables to Kinesis streams.
//
// # Delivery
//
// The changes of a table with a destination are in its log (package changelog), written in the transactions that make
// them. They are copied to the stream when somebody reads from it or writes to it, before they do, so that a change is
// in the stream for every reader at once and a table with a destination is as fast as one with a stream. A copy and the
// progress of the delivery are one transaction: each change is delivered once, in the order of the log, even after a
// crash. Changes that nobody has read for 24 hours expire in the log, as they would in the stream.
//
// Disabling a destination, which the deletion of a table does first, delivers what is left. If the stream does not
// exist any more, nothing is delivered, and the destination stays ACTIVE, as in the service.
//
// # Records
//
// Their form is that of records that users of the service published, from 2021 to 2024: see record.go.
package destination
