// Package report turns the outcomes of scenarios into what people and machines read: one HTML page with a matrix of
// catalogue ids by target, Markdown, JUnit XML and Cucumber JSON.
//
// Each run leaves its outcomes as JSON in the output folder, so that runs on several targets add up to one matrix.
package report
