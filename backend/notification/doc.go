// Package notification is the notification service of a social app: events become entries of a user's notification
// centre and pushes to the user's phones.
//
// It follows the document of 20 November 2025 with its four containers, partitioned by /userId, and adds the event
// field pushAfter and one guard document per user (1.1.0). Every access pattern is one function of store.go or
// store_*.go, and nothing else accesses Cosmos DB. Queries are the document's conditions after SELECT * FROM c (NT-D4):
//
//	id      pattern                 container                  partition  operation
//	NT-P1   enqueue an event        notification_events        userId     create
//	NT-P2   find work               notification_events        all        query c.status = 'PENDING' OR (c.status = 'FAILED' AND … <= @now)
//	        … what stopped or waits notification_events        all        query c.status = 'PROCESSING' AND c.nextRetryAt <= @now
//	NT-P3   dedupe check            notification_events        userId     query c.dedupeKey = @key AND c.createdAt >= @window
//	NT-P4   process an event        notification_events        userId     replace if its ETag is as found: claim; the same: end
//	                                notifications              userId     batch: guard if its ETag is as read, create notification
//	NT-P5   unread count            notifications              userId     query SELECT VALUE COUNT(1) …
//	NT-P6   list                    notifications              userId     query … ORDER BY c.createdAt DESC, continuation token
//	NT-P7   rate limit check        notifications              userId     query c.category = @category AND c.createdAt >= @window
//	NT-P8   mark read, dismiss      notifications              userId     patch if the flag is false
//	NT-P9   preferences             notification_preferences   userId     point read by id = userId; upsert
//	NT-P10  active devices          device_tokens              userId     query c.revokedAt = null OR NOT IS_DEFINED(c.revokedAt) (NT-D2)
//	NT-P11  refresh a token         device_tokens              userId     query c.deviceId = @deviceId, replace if its ETag is as found
//	NT-P12  register a device       device_tokens              userId     batch: guard if its ETag is as read, revoke, create
//	NT-R10  delete a user           all four                   userId     query ids, batches of 100 deletes
//	NT-O3   cleanup                 device_tokens              all        query c.revokedAt < @before, delete if its ETag is as found
//	NT-D3   change feed worker      notification_events        ranges     change feed; ranges and leases in notification_preferences
//
// Decisions that the document leaves open:
//   - The subject of the bearer token is the userId.
//   - retryCount counts the retries that were started. They are 1, 2, 4, 8 and 16 minutes apart. FAILED is final when
//     nextRetryAt is null.
//   - While an event is PROCESSING, nextRetryAt is the end of its worker's lease, five minutes, or of its user's quiet
//     hours; then it is processed again. The documented query does not find such events, so that none is found too
//     early.
//   - A category that the user has switched off gets neither an entry nor a push, and the event is COMPLETED. A user
//     whose quiet hours cover the whole day gets entries only.
//   - The queries for duplicates and rates cannot see what another worker is about to write. Service.admit documents
//     how they are made reliable, and Service.register how the number of devices is limited to three.
//   - azcosmos keeps no sessions. Here each request, each event and each round is a session in every partition: a read
//     is at least as recent as what the same work has read or written before. The rules depend on this and on ETag
//     conditions; they hold even when replicas lag.
//
// Time comes only from Config.Now: RFC 3339 in UTC with milliseconds. The time to live counts from a document's last
// write by the database's clock: a processed event lives thirty days from its processing (NT-D5).
package notification
