// Package cloudwatch implements the part of Amazon CloudWatch that goes with DynamoDB: it lists, reads and stores
// metrics, and alarms watch them.
//
// Each operation is a function with a typed input and output in a file of its name; it knows neither HTTP nor an
// encoding. Three thin codecs serve the protocols: Smithy RPC v2 in CBOR, which the current SDKs use; AWS's JSON 1.0;
// and the query protocol, forms answered in XML, of older SDKs and tools.
//
// Alarms are evaluated when the emulator's clock passes the end of a minute, in order, however far it is moved at once.
// Without alarms there is no timer. An action on a change of state is an HTTP request in the form of an SNS
// notification. It is sent outside of the clock's time, with retries.
package cloudwatch
