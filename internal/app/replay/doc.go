// Package replay sends a recording's requests to a target, and reports where its responses differ from the recorded
// ones.
//
// Responses are compared by meaning. What differs between any two runs is not compared: ids and times that the service
// generates, regions and accounts in ARNs, states and sizes of tables, and, by default, consumed capacity. Sets, the
// items of a Scan and the items of a batch are unordered; everything else is ordered. LastEvaluatedKey is compared
// exactly.
//
// If a request contains a value from a response, such as a shard iterator or the ARN of a stream, the replayed request
// contains the value from the replayed response.
package replay
