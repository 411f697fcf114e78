// Package testbinary runs a Go test under the plans of a search, in worker processes of its own test binary: a test
// that panics, calls os.Exit or never ends then ends only a run, and a run does not pay for the start of a process.
//
// A worker is the test binary with -test.run for one test and the environment variable [WorkerVariable]. It reads plans
// from its standard input, one per line, and runs the test with each. To its standard output it writes lines that begin
// with the value of the variable: one when it is ready, one for each request that the database receives, and one for
// the result of each run. Everything else that it prints is the output of the test.
package testbinary
