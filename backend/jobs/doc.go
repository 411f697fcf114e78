// Package jobs runs maintenance that is cut into segments: those of a table's Scan, or days, or whatever has a number.
// A job may be started twice, killed at any moment and run in two places at once.
//
// What was done is in a table of its own, tabletop-jobs. Each segment is leased to one worker at a time, and what the
// worker has done is saved after every page, on condition that the lease is still its own: a worker that was away for
// too long learns so from that write, and stops. The page that it was at is done again by whoever took over, and so is
// the page of a worker that was killed: a step has to be such that a repeat does no harm, which a conditional write is.
//
// A run that was interrupted goes on where it was, with the parameters that it began with. A run that has finished is
// remembered for a while, so that two machines with the same timetable do the work once.
//
// Leases are by the clocks of those who run the job. Clocks that disagree cost time, never correctness: a lease that is
// taken too early is lost by its holder at the next page.
package jobs
