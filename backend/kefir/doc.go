// Package kefir is the backend of an app for brewers of water kefir: users track their batches through two stages and
// four statuses, add photos and notes, receive reminders on their phones, publish a batch, and export all their data.
//
// It follows the single-table document 1.0.0 and adds two indexes (1.1.0) and idempotency keys (1.2.0). Every access
// pattern is one function of store.go or store_*.go, and nothing else accesses DynamoDB:
//
//	id      pattern                       table, index   operation
//	KF-P1   a user                        table          GetItem PK = USER#id, SK = METADATA, consistent
//	KF-P2   a user's batches              table          Query PK = USER#id, begins_with(SK, BATCH#)
//	KF-P3   … of a status                 table          the same, filtered by #status
//	KF-P4   a batch by its id             GSI1           Query GSI1PK = BATCH#id
//	KF-P5   a batch's events              table          Query PK = BATCH#id, begins_with(SK, EVENT#)
//	KF-P6   … the newest                  table          the same, descending, Limit 20
//	KF-P7   … from a moment on            table          Query PK = BATCH#id, SK BETWEEN EVENT#t AND EVENT#\uffff (KF-D4)
//	KF-P8   a batch's reminders           table          Query PK = BATCH#id, begins_with(SK, REMINDER#)
//	KF-P9   a user's upcoming reminders   GSI1           Query GSI1PK = USER#id, GSI1SK BETWEEN DUE#now AND DUE#now+days (KF-D2)
//	KF-P10  due reminders of all users    GSI3           Query GSI3PK = DUE#hour, GSI3SK <= now, an hour at a time (KF-D3)
//	        … as documented               GSI1           Scan in 4 segments, filtered by GSI1SK <= DUE#now
//	KF-P11  a user's devices              table          Query PK = USER#id, begins_with(SK, DEVICE#)
//	KF-P12  one device                    table          GetItem PK = USER#id, SK = DEVICE#id, consistent
//	KF-P13  batches by status, all users  GSI2           Query GSI2PK = STATUS#status, then BatchGetItem, consistent (KF-D1)
//	KF-P14  a batch with all about it     GSI1, table    KF-P4, KF-P6 and KF-P8, one response
//	KF-P15  export                        table          Query PK = USER#id, and PK = BATCH#id for each batch, consistent
//	KF-R1   change of status              table          TransactWriteItems: batch if its status is as read, and event
//	KF-R2   stage 1 to 2                  table          TransactWriteItems: batch if its stage is 1, and event
//	KF-R5   cancel, claim, send           table          UpdateItem if pending, and not another's claim
//	KF-R12  the same creation again       table          TransactWriteItems: the new item, and a marker if there is none
//
// Where the document contradicts itself or DynamoDB, the decision is documented next to the code: KF-D1 in schema.go
// and store_batches.go, KF-D2, KF-D3 and KF-D5 in store_reminders.go, KF-D4 in store_events.go.
//
// Decisions that the document leaves open:
//   - The subject of the bearer token is the userId. Another user's batch gets the same response as one that does not
//     exist.
//   - GSI1 is eventually consistent. It only locates a batch; what is shown or changed is read from the table. A batch
//     that is not in the index yet is looked up among the caller's own, and a public one is retried briefly.
//   - Any status may follow any other. Leaving archived removes archivedAt.
//   - A reminder that ends leaves GSI1 and GSI3 (KF-D5). The document's queries stay as they are, and ended reminders
//     cost no index capacity.
//   - A reminder is sent as described at Scheduler.
//
// Time comes only from Config.Now: RFC 3339 in UTC, with whole seconds, for events with milliseconds.
package kefir
