// Package report renders the results of scenarios: one HTML page with a matrix of catalogue ids by target, Markdown,
// JUnit XML and Cucumber JSON.
//
// Each run stores its results as JSON in the output folder, so that runs on several targets add up to one matrix.
package report
