// Package tablefile makes tables from one description, the same on the emulator, on any DynamoDB and on AWS: their
// keys, indexes, capacity, TTL, recovery, encryption, stream, tags, policy, and the alarms and customer keys that
// belong to them.
//
// A File is read from YAML by Parse, or from a target by Read. Compare finds what a target lacks of a file and gives it
// as Steps, in the order in which they have to be done; doing them twice does nothing the second time. Write makes YAML
// of a File, so that what Read has found on one target can be made on another.
package tablefile
