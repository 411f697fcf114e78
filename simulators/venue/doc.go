// Package venue is where a simulation takes place: a backend with its clock, and who may speak to it.
//
// Embedded starts emulator and backend in this process, on a clock that the simulation moves: weeks pass in seconds,
// lifetimes end, the same seed gives the same run, and in the end the tables themselves can be counted. Running is a
// backend that somebody else has started.
package venue
