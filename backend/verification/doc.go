// Package verification is the backend for identity verification: clients open cases about their customers, upload
// documents and submit them; reviewers take the cases to a decision; every operation is in the audit trail.
//
// It follows the schema document of AuthBridgeTable, one table for all entities. Every access pattern is one function
// of store.go or store_*.go, and nothing else accesses DynamoDB:
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
// Where the document contradicts itself, the decision is documented next to the code: VR-D1 in model.go, VR-D2 in
// store_cases.go, VR-D3 in keys.go, VR-D4 in audit.go.
//
// Decisions that the document leaves open:
//   - Every operation that decides about stored data writes an audit entry, including reads, refused transitions and
//     things not found. The entry of a write is in its transaction; other entries are put before the response. Requests
//     that are refused earlier (401, 403, 422) have none. Entries contain ids, codes and statuses, but no personal
//     data.
//   - Contact data is sealed under a keyset in the table (KEYSET#customerMetadata), which a KMS key wraps. A sealed
//     value is bound to its table, item and attribute; the binding uses the table's documented name, so that a restored
//     copy can be opened.
//   - A document has no status until its file has arrived. Lists contain no contact data.
//   - An API key is <keyId>.<secret>, so that one GetItem finds it; the table stores the SHA-256 of pepper and secret.
//     A session belongs to the key that opened it and ends with it. API keys are listed from GSI1, partition APIKEYS.
//   - The marker of an Idempotency-Key (IDEM#client#hash) lives 24 hours. A repeat does not return a secret again: it
//     names what was created.
//   - A case past its expiresAt is shown as expired from that second on; ExpiryJob writes the status and removes the
//     case's documents.
//
// Time comes only from Config.Now: ISO 8601 in UTC with whole seconds; audit entries have milliseconds.
package verification
