// Package advice reviews how programs use a database. From a recording of their requests, and from what the tables look
// like, it says what an experienced engineer would say in a review: what is wrong, by which requests that is seen, what
// it costs a month to leave it, and what to do instead.
//
// Each rule is in a file of its name. A rule sees the requests in the order of the recording, keeps no more than it
// needs, and concludes at the end. It says nothing about what may well be right: a false alarm costs more trust than
// a missed finding.
package advice
