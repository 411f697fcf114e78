// Package exploration reports what an exploration of a command found: as a page, as JUnit XML, and as a folder for each
// finding with everything that reproduces it. It also reads the plans that are already known.
package exploration
