// Package tablefile creates the same tables from one description on the emulator, on any DynamoDB and on AWS: keys,
// indexes, capacity, TTL, point-in-time recovery, encryption, stream, tags, policy, and their alarms and customer
// managed keys.
//
// Parse reads a File from YAML; Read reads one from a target. Compare finds what a target lacks of a file and returns
// it as Steps, in the order in which they have to be performed; performing them twice changes nothing the second time.
// Write encodes a File as YAML, so that what Read found on one target can be created on another.
package tablefile
