// Package bulkload writes the items of a file to a database: in batches, several at a time, and again what the database
// throttles. It knows no service: a Target writes the batches.
package bulkload
