// Package history keeps what load tests measured in a file of JSON lines, one run a line, and shows how each figure
// moved over commits.
//
// Figures are compared where they say something of the code: between runs of one profile with the same target,
// duration, rate and machine. The runs of a commit give each figure a spread, and what lies within it is noise.
package history
