// Package result is what a load test has found: the Report of one profile on one target, which is written as JSON, and
// all that is in it.
package result
