// Package history keeps the results of load tests in a file of JSON lines, one line per run, and shows how each figure
// changed over commits.
//
// Figures are compared only where a difference says something about the code: between runs of one profile with the same
// target, duration, rate and machine. The runs of a commit give each figure a spread, and a difference within the
// spread is noise.
package history
