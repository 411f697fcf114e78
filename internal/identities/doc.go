// Package identities is the directory of who may use an emulator: users with their access keys, groups, roles,
// policies, and policies on tables, by account. It is read from YAML (or JSON, which is YAML too), and does not change:
// [Directory.With] makes another one.
package identities
