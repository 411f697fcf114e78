// Package sim is what all simulators share: dice that a seed decides, the time that a simulation lives in and the loop
// that plays its people through it, callers whose answers get lost on the way, and the reckoning at the end.
//
// Everything random comes from Mix over a seed and whatever identifies the roll, so that what happens to one person
// depends on nobody else and on no order. Play moves time from one moment at which somebody has something to do to the
// next, and has all whose moment it is act at once. A Caller speaks to a backend as a person's phone does: it does not
// hear some of the answers and asks again, and it is patient with a backend that is down. A Ledger counts what was
// done, holds what was found in the end against what must be there, and becomes the Result: a text, JSON, and an error
// when anything differs.
package sim
