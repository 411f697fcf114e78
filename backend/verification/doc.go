// Package verification is the backend of identity verification: clients open cases about their customers, upload
// documents and submit them; reviewers take the cases to a decision; every operation is in the audit trail.
//
// It follows the schema document of AuthBridgeTable, one table for every entity. Each access pattern is one function of
// store*.go, and nothing else speaks to DynamoDB:
//
//	id     pattern                          index   operation
//	VR-P1  a case                                   GetItem CASE#id, META, consistent
//	VR-P2  its documents                            Query CASE#id, begins_with(SK, DOC#), consistent
//	VR-P3  a client's cases, by status      GSI1    Query CLIENT#id, or with begins_with(GSI1SK, status#)
//	VR-P4  the cases of a day               GSI2    Query DATE#day
//	VR-P5  create a case                            TransactWriteItems: Put if there is none, and its audit entry
//	VR-P6  change the status                        TransactWriteItems: Update if it is still as read, and the audit entry
//	VR-P7  audit entries of a user          GSI3    Query USER#id, descending
//	VR-P8  audit entries of a day                   Query AUDIT#day
//	VR-P9  a session, an API key                    GetItem SESSION#id or APIKEY#id, META, consistent
//
// Where the document contradicts itself, the decision stands beside the code that takes it: VR-D1 in model.go, VR-D2 in
// store_cases.go, VR-D3 in model.go, VR-D4 in audit.go.
//
// What the document leaves open is decided so:
//   - Every operation that reaches a decision about stored data leaves an audit entry, reads, refused moves and things
//     not found included: a write's is in its transaction, the others' are put before the answer. Requests that
//     are refused before (401, 403, 422) leave none. Entries hold ids, codes and statuses, nothing of a person.
//   - Contact data is sealed under a keyset in the table (KEYSET#customerMetadata), wrapped by a key of KMS. It is bound
//     to table, item and attribute; the table counts by its documented name, so that a restored copy opens.
//   - A document has no status until its file is there. Lists show no contact data.
//   - An API key is <keyId>.<secret>, so that one GetItem finds it; what is stored is SHA-256 of pepper and secret. A
//     session is of the key that made it and ends with it. API keys are listed from GSI1, partition APIKEYS.
//   - The marker of an Idempotency-Key (IDEM#client#hash) lives 24 hours. A repeat shows no secret again: it names what was made.
//   - A case past its time is answered as expired at that second; ExpiryJob writes it down and removes its documents.
//
// Time comes from Config.Now alone: ISO 8601 in UTC, whole seconds; audit entries in milliseconds.
package verification
