// Package replay sends a recording's requests to a target, and tells where it answers otherwise than was recorded.
//
// Answers are compared by what they mean. What no two runs have in common is left out: ids and times that the service
// chooses, regions and accounts in ARNs, states and sizes of tables, and, unless asked for, consumed capacity. Sets,
// the items of a Scan and the items of a batch have no order; everything else has. LastEvaluatedKey is compared as it
// is.
//
// Where a request has what an answer chose, such as a shard iterator or the ARN of a stream, the replayed request has
// what the replayed answer chose.
package replay
