// Package items has the operations on single items, and on several of one logical partition: batches and bulks.
package items
