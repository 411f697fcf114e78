// Package scripts runs what clients store to be run beside the items: stored procedures and triggers.
package scripts
