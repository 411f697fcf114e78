// Package devicetoken is the backend for a mobile app's push tokens: a phone registers its token, refreshes it at every
// launch, is deactivated at logout and deleted on request, and a user's phones receive the user's notifications.
//
// It follows the schema document of the table. Every access pattern is one function of store.go, and nothing else
// accesses DynamoDB:
//
//	id     pattern                       operation on photoeditor-{env}-device-tokens
//	PE-P1  register                      PutItem if the device is new, else PE-P2
//	PE-P2  refresh                       UpdateItem of token, updatedAt, isActive, expiresAt if the device exists
//	PE-P3  one device                    GetItem, consistent
//	PE-P4  a user's devices for a push   Query userId, filtered by isActive = true and expiresAt > now (PE-D3)
//	PE-P5  deactivate                    UpdateItem isActive = false if the device exists
//	PE-P6  delete one                    DeleteItem if the device exists
//	PE-R7  delete all of a user          Query userId for keys, consistent, and a DeleteItem each, until none is left
//	PE-O8  diagnosis                     Query userId, consistent, unfiltered
//	       a dead token                  UpdateItem isActive = false if the device still has that token and updatedAt
//
// The user is the subject of the caller's token and never part of a request (PE-R4), except for the two endpoints for
// operators, which need the admin token.
//
// Where the document contradicts itself or DynamoDB, the decision is documented next to the code: PE-D1 in keys.go,
// PE-D2 in tables.yaml, PE-D3 in store.go, PE-D4 in model.go, PE-D5 in identities.yaml.
//
// Decisions that the document leaves open:
//   - Of concurrent registrations, the last one that the database accepts wins: a phone sends one after the other.
//   - A refresh keeps the platform of the first registration, because PE-P2 does not set it.
//   - A device past expiresAt remains visible to PE-P3 until TTL deletes it, but gets no push. A refresh reactivates
//     it.
//   - A token that two users have registered, as when a phone changes hands without a logout, stays with both: finding
//     it would need an index.
//
// Time comes only from Config.Now. Timestamps are RFC 3339 in UTC with whole seconds; expiresAt is in epoch seconds.
package devicetoken
