// Package simenv provides the backend for a simulation, its clock, and the callers that may use it.
//
// StartEmbedded starts the emulator and the backend in this process, on a clock that the simulation controls: weeks
// pass in seconds, lifetimes end, the same seed gives the same run, and at the end the tables themselves can be
// examined. Connect uses a backend that somebody else has started.
package simenv
