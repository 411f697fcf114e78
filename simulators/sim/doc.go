// Package sim is what all simulators share: randomness that a seed determines, the clock of a simulation and the loop
// that runs its actors, callers that lose responses, and the reconciliation at the end.
//
// Everything random comes from Mix over a seed and what identifies the draw, so that what happens to one person depends
// on nobody else and on no order. A Runner advances the time from one moment with an action to the next, and makes all
// actors of a moment act concurrently. A Caller calls a backend as a person's phone does: it loses some responses and
// repeats the requests, and it retries when the backend is down. A Ledger counts what was done, compares what was
// found at the end with what is expected, and becomes the Result: text, JSON, and an error if anything differs.
package sim
