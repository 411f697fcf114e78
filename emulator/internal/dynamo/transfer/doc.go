// Package transfer exports tables to files, imports tables from files, and puts files into tables in bulk operations:
// the operations, and the files' formats. The files are objects in buckets, which the emulator's S3 serves.
//
// A job does its work at once, and the answer to the request that starts it waits for it for a few seconds. With
// transitional states, its result appears only later, after the time that the service takes. A job that the end of the
// process interrupts is FAILED at the next start: an export has no manifest then, an import no table, and a bulk
// operation no report.
package transfer
