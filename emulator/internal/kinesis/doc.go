// Package kinesis implements the part of Amazon Kinesis Data Streams that programs need to read DynamoDB's records and
// to put their own: streams with a fixed number of shards, whose records can be read for 24 hours.
//
// # Records
//
// Each shard has a change log (package changelog). A record's sequence number is its position in the log, so readers
// see all records in order. A record is appended in a transaction, and is on disk when PutRecord returns.
//
// # Sources
//
// A source, DynamoDB, delivers its records for a stream when a request uses the stream, before the request reads. So
// every reader immediately sees a change of an item, with the time of the change, and a change costs nothing until it
// is read.
//
// # Sources of the behaviour
//
// AWS's documentation and the SDK's model; mhart/kinesalite (2014 to 2020), whose tests ran against the service.
package kinesis
