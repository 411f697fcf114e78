// Package process runs a command as a program for package explore: each run has an emulator of both clouds of its own,
// which the command finds by its environment. Nothing that a command starts outlives its run, on Linux not even a
// process that has left its group; requests to the real clouds are refused by a [Guard].
package process
