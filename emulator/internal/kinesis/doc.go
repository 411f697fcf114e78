// Package kinesis is the part of Amazon Kinesis Data Streams that programs need to read what DynamoDB streams to it,
// and to put records of their own: streams with a fixed number of shards, from which records are read for 24 hours.
//
// # Records
//
// Each shard has a change log (package changelog), so a record's sequence number is its position in it, and readers see
// records in order and miss none. A record is appended in a transaction; it is on disk when PutRecord answers.
//
// # Sources
//
// A source, DynamoDB, delivers what it has for a stream when somebody uses the stream, and before anything is read from
// it. So a change of an item is at once in the stream for every reader, with the time of the change, and costs nothing
// until somebody reads.
//
// # Sources of the behaviour
//
// AWS's documentation and the SDK's model; mhart/kinesalite (2014 to 2020), whose tests ran against the service.
package kinesis
