// Package setup prepares the emulators of explored commands by a table file, and checks them by a file of invariants.
package setup
