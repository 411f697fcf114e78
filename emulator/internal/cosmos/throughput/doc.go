// Package throughput provides the rules of request units: the throughput of a database or container, what a physical
// partition may consume per second, and the charges of reads, writes and query pages.
package throughput
