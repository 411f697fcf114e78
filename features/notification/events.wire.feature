Feature: Events become notifications, on the wire
  The requests that the service sends to its store, the items that the store then holds, and the HTTP responses.

  Background:
    Given "ana" has no quiet hours

  @NT-P1.queued
  Scenario: An event waits for a worker, on the wire
    When "bob" likes a post of "ana"
    Then Cosmos DB received a Create of "notification_events" in the partition "ana"

  @NT-P2.pending @NT-D3.cost @NT-D4
  Scenario: Pending events are found across all partitions, by the documented condition
    Given "bob" likes a post of "ana"
    When a worker runs
    Then the worker completed 1
    And Cosmos DB received this query of "notification_events" across all partitions:
      """
      SELECT * FROM c WHERE c.status = 'PENDING' OR (c.status = 'FAILED' AND c.retryCount < 5 AND c.nextRetryAt <= '{now in milliseconds}')
      """

  @NT-D4
  Scenario: The documented queries without SELECT and FROM are refused by the store
    When a client queries "notification_events" in the partition "ana" with:
      """
      WHERE c.status = 'PENDING'
      """
    Then Cosmos DB refuses it with 400 and "SC1001"
    When a client queries "notification_events" in the partition "ana" with:
      """
      SELECT * FROM c WHERE c.status = 'PENDING'
      """
    Then the query finds 0 documents

  @NT-D3.cost @needs:private-store
  Scenario: The query for pending events costs more with more partitions
    When the work query runs over 1 physical partition
    And the work query runs over 5 physical partitions
    Then it costs more request units over 5 physical partitions than over 1

  @NT-D7 @needs:private-store
  Scenario: Enqueuing an event costs twice the documented 5 request units, because every property is indexed
    Given earlier requests to Cosmos DB are ignored
    When "bob" likes a post of "ana"
    Then Cosmos DB received 1 Create request of "notification_events"
    And those requests cost more than 10 request units
    And those requests cost at most 12 request units

  @NT-D3.feed
  Scenario: A change feed worker delivers the same notifications as a polling one
    Given a change feed worker runs
    And "bob" likes a post of "ana"
    When earlier requests to Cosmos DB are ignored
    And a change feed worker runs
    Then the event is COMPLETED
    And "ana" has 1 notification
    And Cosmos DB received a ChangeFeed of "notification_events"
    And Cosmos DB received no query of "notification_events" across all partitions

  @NT-D3.lease
  Scenario: A worker leaves a change feed partition to its owner until the lease expires
    Given a change feed worker runs
    And another change feed worker runs
    And "bob" likes a post of "ana"
    And earlier requests to Cosmos DB are ignored
    When another change feed worker runs
    Then Cosmos DB received 0 ChangeFeed requests of "notification_events"
    And the event is PENDING
    When 61 seconds pass
    And another change feed worker runs
    Then Cosmos DB received a ChangeFeed of "notification_events"
    And the event is COMPLETED

  @NT-D3.lease
  Scenario: Of two workers that claim the same change feed partition, one gets it
    Given a change feed worker runs
    And 61 seconds pass
    And before the next Replace of "notification_preferences", another change feed worker runs
    And earlier requests to Cosmos DB are ignored
    When a change feed worker runs
    Then Cosmos DB received 1 ChangeFeed request of "notification_events"

  @NT-D3.resumed
  Scenario: A worker that takes over a change feed partition resumes where the previous one stopped
    Given "bob" likes a post of "ana"
    And a change feed worker runs
    And 61 seconds pass
    And earlier requests to Cosmos DB are ignored
    When another change feed worker runs
    Then Cosmos DB received 1 ChangeFeed request of "notification_events"

  @NT-D3.sweep
  Scenario: A change feed worker also finds due retries
    Given "ana" has the phone "pixel"
    And "bob" likes a post of "ana"
    And the push service is unavailable
    And a change feed worker runs
    And the event is FAILED
    When the push service is available again
    And 1 minute passes
    And a change feed worker runs
    Then the event is COMPLETED
    And "pixel" received "bob liked your post"

  @NT-P4.entry @NT-P4.completed @NT-R1.moves
  Scenario: A processed event is completed and becomes a notification, on the wire
    Given "bob" likes a post of "ana"
    And earlier requests to Cosmos DB are ignored
    When a worker runs
    Then the event is COMPLETED
    And "ana" has 1 notification
    And Cosmos DB received a conditional Replace of "notification_events" in the partition "ana"

  @NT-R1.once
  Scenario: Of two workers that find the same event, one claims it
    Given "ana" has the phone "pixel"
    And "bob" likes a post of "ana"
    And before the next Replace of "notification_events", another worker runs
    When a worker runs
    Then the worker claimed 0
    And the event is COMPLETED
    And "ana" has 1 notification
    And "pixel" received 1 push

  @NT-R1.lease @NT-R2.reason
  Scenario: The event of a worker that died is retried when its claim has expired
    Given "ana" has the phone "pixel"
    And "bob" likes a post of "ana"
    And a worker dies before its next Batch of "notifications"
    When 4 minutes pass
    And a worker runs
    Then the worker found nothing
    And the event is PROCESSING
    When 1 minute passes
    And a worker runs
    Then the event is COMPLETED
    And the response's "retryCount" is "1"
    And the response's "lastError" is "the worker did not finish in time"
    And "pixel" received "bob liked your post"
    And "ana" has 1 notification

  @NT-R1.slow
  Scenario: A worker that was too slow leaves the event to the one that claimed it later
    Given "bob" likes a post of "ana"
    And before the next but one Replace of "notification_events", 6 minutes pass and another worker runs
    When a worker runs
    Then the worker completed 0
    And the event is COMPLETED
    And the response's "retryCount" is "1"
    And "ana" has 1 notification

  @NT-R2.limit
  Scenario: An event whose workers keep dying fails in the end
    Given "bob" likes a post of "ana"
    And 6 workers die before their next Batch of "notifications", 5 minutes apart
    When a worker runs
    Then the event is FAILED
    And the response's "retryCount" is "5"
    And the response's "nextRetryAt" is "null"
    And the response's "lastError" is "the worker did not finish in time"
    And "ana" has 0 notifications

  @NT-P3
  Scenario: Duplicates are looked up in the user's own partition
    Given "bob" likes a post of "ana" with the deduplication key "p1-liked"
    When a worker runs
    Then the event is COMPLETED
    And Cosmos DB received this query of "notification_events" in the partition "ana":
      """
      SELECT * FROM c WHERE c.userId = 'ana' AND c.dedupeKey = 'p1-liked' AND c.createdAt >= '{an hour ago in milliseconds}'
      """

  @NT-R3.race
  Scenario: A newer event becomes a duplicate if an older one is delivered first
    Given "dan" likes a post of "ana"
    And a worker runs
    And "cleo" likes a post of "ana" with the deduplication key "p1-liked"
    And before the next Batch of "notifications", an older like of a post of "ana" with the deduplication key "p1-liked" arrives, and another worker runs
    When a worker runs
    Then 2 of the events are COMPLETED
    And 1 of the events is DEDUPLICATED
    And "ana" has 2 notifications

  @NT-P7.window @NT-R4.limit
  Scenario: Events above the rate limit of their category are dropped, on the wire
    Given 22 likes of posts of "ana"
    When a worker runs
    Then "ana" has 20 notifications
    And Cosmos DB received this query of "notifications" in the partition "ana":
      """
      SELECT * FROM c WHERE c.userId = 'ana' AND c.category = 'SOCIAL' AND c.createdAt >= '{an hour ago in milliseconds}'
      """
    When 2 hours pass
    And "bob" likes a post of "ana"
    And a worker runs
    Then the event is COMPLETED

  @NT-R4.race
  Scenario: Of two workers that count at the same moment, one delivers the last notification
    Given MARKETING_PROMOTION occurs for "ana"
    And a worker runs
    And MARKETING_PROMOTION occurs for "ana"
    And MARKETING_PROMOTION occurs for "ana"
    And before the next Batch of "notifications", another worker runs
    When a worker runs
    Then 2 of the events are COMPLETED
    And 1 of the events is RATE_LIMITED
    And "ana" has 2 notifications

  @NT-R11.event
  Scenario Outline: An event <fault> is refused, and nothing is written
    When the operator sends POST /events with <event>
    Then it is refused as invalid
    And the response names the field "<field>"
    And Cosmos DB received 0 Create requests of "notification_events"

    Examples:
      | fault                     | event                                                                                                   | field          |
      | of an unknown type        | {"userId":"ana","eventType":"POST_HATE"}                                                                | body.eventType |
      | without a user            | {"eventType":"NEWS_SYSTEM_UPDATE"}                                                                      | body.userId    |
      | of a like without a post  | {"userId":"ana","eventType":"POST_LIKE","payload":{"actorName":"Bob"}}                                  | body.payload   |

  @NT-P1.once
  Scenario: An event that is enqueued again with the same key gets the same response
    When "bob" likes a post of "ana" with the idempotency key "k1"
    Then the response has no header "Idempotency-Replayed"
    Given the response's "id" is saved as "first"
    When the same event is enqueued again
    Then the response is 200
    And the response's header "Idempotency-Replayed" is "true"
    And the response's "id" is "{first}"

  @NT-P1.once
  Scenario: An event whose creation gets no response is stored once
    Given the response to the next Create of "notification_events" is lost
    When "bob" likes a post of "ana" with the idempotency key "k1"
    Then the response is 200
    When a client queries "notification_events" in the partition "ana" with:
      """
      SELECT * FROM c
      """
    Then the query finds 1 document

  @NT-P1.race
  Scenario: Many simultaneous requests with one key create one event
    When "bob" likes a post of "ana" with the idempotency key "k1", 6 times at once
    Then 1 of the responses is 201 and the others are 200

  @NT-P1.body
  Scenario: The refusal of a used key names the header, and an empty key is refused
    Given "bob" likes a post of "ana" with the idempotency key "k1"
    When "eve" likes a post of "ana" with the idempotency key "k1"
    Then the response is 422
    And the response names the field "header.Idempotency-Key"
    When "eve" likes a post of "ana" with the idempotency key ""
    Then the response is 422

  @NT-P2.round @NT-D3.round
  Scenario Outline: A round of <a worker> processes 100 events, and the next one the rest
    Given a change feed worker runs
    And 105 likes of posts of "ana"
    When <a worker> runs
    Then the worker found 100
    And the response's "more" is "true"
    When <a worker> runs
    Then the worker found 5
    And the response's "more" is "false"
    And 0 of the events are PENDING

    Examples:
      | a worker             |
      | a worker             |
      | a change feed worker |

  @NT-P2.round @NT-D3.round
  Scenario Outline: A round of <a worker> stops when its time is up, and the next one continues
    Given a change feed worker runs
    And 3 likes of posts of "ana"
    And before the next Replace of "notification_events", 6 seconds pass
    When <a worker> runs
    Then the worker claimed 1
    And the response's "more" is "true"
    When <a worker> runs
    Then the worker claimed 2
    And the response's "more" is "false"

    Examples:
      | a worker             |
      | a worker             |
      | a change feed worker |

  @NT-D3.round
  Scenario: A round whose time is up after reading the change feed still processes one event
    Given a change feed worker runs
    And 3 likes of posts of "ana"
    And before the next ChangeFeed of "notification_events", 6 seconds pass
    When a change feed worker runs
    Then the worker claimed 1
    And the response's "more" is "true"
    When a change feed worker runs
    Then the worker claimed 2
