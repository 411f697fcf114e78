// Package verdict decides the limits of a profile by the report of a run: each metric that a limit can name, what a
// kind of request may do to the database, and what a month costs beside what a document says.
package verdict
