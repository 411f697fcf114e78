// Package cloudwatch is the part of Amazon CloudWatch that goes with DynamoDB: metrics are listed, read and put, and
// alarms watch them.
//
// An operation is a function over a typed input and output in a file of its name; it sees neither HTTP nor an encoding.
// Three thin codecs stand before them: Smithy RPC v2 in CBOR, which the current SDKs speak; AWS's JSON 1.0; and the
// query protocol, forms answered in XML, of older SDKs and tools.
//
// Alarms are evaluated when the emulator's clock passes the end of a minute, in order, however far it is moved at once.
// Without alarms there is no timer. What they do on a change of state is an HTTP request in the form of a notification
// of SNS, sent beside the clock, with retries.
package cloudwatch
