// Package masterkey parses an account's master keys and verifies signatures with them.
package masterkey
