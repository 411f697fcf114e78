// Package applicants simulates the users of the verification backend: clients whose applicants prove their identity,
// and reviewers who decide. Applicants open cases, announce documents and really send the files, complete and submit;
// some give up halfway, so that their cases expire after thirty days, and some must apply again. Responses are lost,
// and the same request is sent again with the same Idempotency-Key. The reviewers work concurrently on the same cases,
// so that two try every transition and one makes it. The key that seals contact data is rotated halfway.
//
// What an applicant does, and what the reviewers find, is a Plan, a pure function of the seed and the applicant's
// number. Shortly before the first case is thirty days old, every case is compared with its plan; after the last one
// is, nothing may be left of any case but the audit trail, which records each case's history once and in order. With a
// backend in this process the table itself is searched: contact data must not be anywhere in the clear.
package applicants
