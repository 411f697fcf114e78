// Package jobs runs maintenance jobs that are divided into segments: those of a table's Scan, or days, or anything
// numbered. A job may be started twice, killed at any moment, and run in two places at once.
//
// Progress is stored in a table of its own, tabletop-jobs. Each segment is leased to one worker at a time. The worker
// saves its progress after every page, on condition that it still holds the lease; a long step renews the lease in the
// same way before each of its writes. A worker that was stalled for too long learns from the failed write that it lost
// the lease, and stops. Whoever takes over repeats the page in progress, and the same happens to the page of a worker
// that was killed. A step must therefore be idempotent, as conditional writes are.
//
// An interrupted run resumes where it stopped, with the parameters that it started with. A finished run is remembered
// for some time, so that two machines with the same schedule do the work once.
//
// Leases use the clocks of the processes that run the job. Clock skew costs time but never correctness: a holder whose
// lease was taken too early notices at its next renewal.
package jobs
