// Package result defines the result of a load test: the Report of one profile on one target, which is written as JSON,
// and its parts.
package result
