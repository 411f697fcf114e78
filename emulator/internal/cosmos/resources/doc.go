// Package resources has the operations on all that is not an item: databases, containers, offers, partition key ranges,
// and child resources (scripts, users, permissions, client encryption keys).
package resources
