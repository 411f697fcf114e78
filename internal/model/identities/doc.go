// Package identities is the directory of an emulator's identities: users with their access keys, groups, roles,
// policies, and table policies, by account. It is parsed from YAML (or JSON, which is YAML too), and immutable:
// [Directory.With] returns a changed copy.
package identities
