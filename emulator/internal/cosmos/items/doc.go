// Package items provides the operations on single items, and batches and bulks of operations.
package items
