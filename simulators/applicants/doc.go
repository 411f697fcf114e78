// Package applicants simulates the verification backend's world: clients whose applicants prove who they are, and two
// reviewers who decide. Applicants open cases, announce documents and really send the files, complete and submit; some
// give up half-way, so that their cases expire after thirty days, some have to come again. Answers get lost on the way,
// and the same request is sent again with the same Idempotency-Key. The reviewers work at the same time on the same
// cases, so that each move has two who try it and one who makes it. The key that seals contact data is rotated in the
// middle.
//
// What an applicant will do, and what the reviewers will find, is a Plan, a pure function of the seed and the
// applicant's number. Shortly before the first case is thirty days old each one is held against its plan; after the
// last is, there must be nothing left of any but the audit trail, which tells each case's life once and in order. In
// this process the table itself is searched: contact data is nowhere in clear.
package applicants
