// Package verdict decides the limits of a profile from the report of a run. It defines the metrics that limits can
// name, what a kind of request may do to the database, and the monthly cost compared with what a document states.
package verdict
