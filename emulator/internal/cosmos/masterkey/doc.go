// Package masterkey reads an account's master keys and checks signatures by them.
package masterkey
