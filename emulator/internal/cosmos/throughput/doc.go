// Package throughput has the rules of request units: what a database or container is given, what a physical partition
// may spend second by second, and what a read, a write and a page of a query cost.
package throughput
