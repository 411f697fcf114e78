// Package resources provides the operations on everything but items: databases, containers, offers, partition key
// ranges, conflicts, and child resources (scripts, users, permissions, client encryption keys).
package resources
