Feature: What happens is told, on the wire
  What the service asks of its store for this, what the store holds then, and what HTTP answers.

  Background:
    Given "ana" is never quiet

  @NT-P1.queued
  Scenario: An event waits for a worker, on the wire
    When "bob" likes a post of "ana"
    Then Cosmos DB was asked for a Create of "notification_events" in the partition "ana"

  @NT-P2.pending @NT-D3.cost @NT-D4
  Scenario: Work is found over all partitions, by the documented condition
    Given "bob" likes a post of "ana"
    When a worker runs
    Then the worker completed 1
    And Cosmos DB was asked of "notification_events" over all partitions:
      """
      SELECT * FROM c WHERE c.status = 'PENDING' OR (c.status = 'FAILED' AND c.retryCount < 5 AND c.nextRetryAt <= '{now in milliseconds}')
      """

  @NT-D4
  Scenario: The document's queries leave out SELECT and FROM, which the store refuses
    When Cosmos DB itself is asked of "notification_events" in the partition "ana":
      """
      WHERE c.status = 'PENDING'
      """
    Then Cosmos DB refuses it with 400 and "SC1001"
    When Cosmos DB itself is asked of "notification_events" in the partition "ana":
      """
      SELECT * FROM c WHERE c.status = 'PENDING'
      """
    Then it finds 0

  @NT-D3.cost @needs:private-store
  Scenario: The work query names no partition, so that it costs more the more partitions there are
    When the work query is asked over 1 physical partition
    And the work query is asked over 5 physical partitions
    Then it costs more request units over 5 physical partitions than over 1

  @NT-D7 @needs:private-store
  Scenario: To enqueue an event takes twice the documented 5 request units, for every property is indexed
    Given what Cosmos DB was asked before is forgotten
    When "bob" likes a post of "ana"
    Then Cosmos DB was asked for 1 Create of "notification_events"
    And that took more than 10 request units
    And that took at most 12 request units

  @NT-D3.feed
  Scenario: A worker that follows the change feed tells what the polling one would
    Given a change feed worker runs
    And "bob" likes a post of "ana"
    When what Cosmos DB was asked before is forgotten
    And a change feed worker runs
    Then the event is COMPLETED
    And "ana" has 1 notification
    And Cosmos DB was asked for a ChangeFeed of "notification_events"
    And Cosmos DB was never asked of "notification_events" over all partitions

  @NT-D3.lease
  Scenario: A worker leaves a part of the change feed to the one that has it, until that is not heard of any more
    Given a change feed worker runs
    And another change feed worker runs
    And "bob" likes a post of "ana"
    And what Cosmos DB was asked before is forgotten
    When another change feed worker runs
    Then Cosmos DB was asked for 0 ChangeFeed of "notification_events"
    And the event is PENDING
    When 61 seconds pass
    And another change feed worker runs
    Then Cosmos DB was asked for a ChangeFeed of "notification_events"
    And the event is COMPLETED

  @NT-D3.lease
  Scenario: Of two workers that take the same part of the change feed one gets it
    Given a change feed worker runs
    And 61 seconds pass
    And before the next Replace of "notification_preferences", another change feed worker runs
    And what Cosmos DB was asked before is forgotten
    When a change feed worker runs
    Then Cosmos DB was asked for 1 ChangeFeed of "notification_events"

  @NT-D3.resumed
  Scenario: Whoever takes a part of the change feed over goes on where it was left
    Given "bob" likes a post of "ana"
    And a change feed worker runs
    And 61 seconds pass
    And what Cosmos DB was asked before is forgotten
    When another change feed worker runs
    Then Cosmos DB was asked for 1 ChangeFeed of "notification_events"

  @NT-D3.sweep
  Scenario: What no change announces is found by a worker that follows the change feed too
    Given "ana" has the phone "pixel"
    And "bob" likes a post of "ana"
    And the push service is away
    And a change feed worker runs
    And the event is FAILED
    When the push service is back
    And 1 minute passes
    And a change feed worker runs
    Then the event is COMPLETED
    And "pixel" received "bob liked your post"

  @NT-P4.entry @NT-P4.completed @NT-R1.moves
  Scenario: A processed event is a notification, and completed, on the wire
    Given "bob" likes a post of "ana"
    And what Cosmos DB was asked before is forgotten
    When a worker runs
    Then the event is COMPLETED
    And "ana" has 1 notification
    And Cosmos DB was asked for a Replace of "notification_events" in the partition "ana", only if unchanged

  @NT-R1.once
  Scenario: Of two workers that find the same event one gets it
    Given "ana" has the phone "pixel"
    And "bob" likes a post of "ana"
    And before the next Replace of "notification_events", another worker runs
    When a worker runs
    Then the worker claimed 0
    And the event is COMPLETED
    And "ana" has 1 notification
    And "pixel" received 1 pushes

  @NT-R1.lease @NT-R2.reason
  Scenario: The event of a worker that died is taken up again when its claim has ended
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
    And the answer's "retryCount" is "1"
    And the answer's "lastError" is "the worker did not finish in time"
    And "pixel" received "bob liked your post"
    And "ana" has 1 notification

  @NT-R1.slow
  Scenario: A worker that is too slow leaves the event to the one that took it up after it
    Given "bob" likes a post of "ana"
    And before the next but one Replace of "notification_events", 6 minutes pass and another worker runs
    When a worker runs
    Then the worker completed 0
    And the event is COMPLETED
    And the answer's "retryCount" is "1"
    And "ana" has 1 notification

  @NT-R2.limit
  Scenario: An event whose workers die is given up too
    Given "bob" likes a post of "ana"
    And 6 workers die before their next Batch of "notifications", 5 minutes apart
    When a worker runs
    Then the event is FAILED
    And the answer's "retryCount" is "5"
    And the answer's "nextRetryAt" is "null"
    And the answer's "lastError" is "the worker did not finish in time"
    And "ana" has 0 notifications

  @NT-P3
  Scenario: Whether the same was told is asked of the user's own partition
    Given "bob" likes a post of "ana" under the key "p1-liked"
    When a worker runs
    Then the event is COMPLETED
    And Cosmos DB was asked of "notification_events" in the partition "ana":
      """
      SELECT * FROM c WHERE c.userId = 'ana' AND c.dedupeKey = 'p1-liked' AND c.createdAt >= '{an hour ago in milliseconds}'
      """

  @NT-R3.race
  Scenario: An older one that is told while a newer one is on its way makes that a duplicate
    Given "dan" likes a post of "ana"
    And a worker runs
    And "cleo" likes a post of "ana" under the key "p1-liked"
    And before the next Batch of "notifications", an older like of a post of "ana" under the key "p1-liked" arrives, and another worker runs
    When a worker runs
    Then 2 of the events are COMPLETED
    And 1 of the events is DEDUPLICATED
    And "ana" has 2 notifications

  @NT-P7.window @NT-R4.limit
  Scenario: Over the rate of its category nothing more is told, on the wire
    Given 22 likes of posts of "ana"
    When a worker runs
    Then "ana" has 20 notifications
    And Cosmos DB was asked of "notifications" in the partition "ana":
      """
      SELECT * FROM c WHERE c.userId = 'ana' AND c.category = 'SOCIAL' AND c.createdAt >= '{an hour ago in milliseconds}'
      """
    When 2 hours pass
    And "bob" likes a post of "ana"
    And a worker runs
    Then the event is COMPLETED

  @NT-R4.race
  Scenario: Of two workers that count at the same moment one tells the last
    Given MARKETING_PROMOTION happens to "ana"
    And a worker runs
    And MARKETING_PROMOTION happens to "ana"
    And MARKETING_PROMOTION happens to "ana"
    And before the next Batch of "notifications", another worker runs
    When a worker runs
    Then 2 of the events are COMPLETED
    And 1 of the events is RATE_LIMITED
    And "ana" has 2 notifications

  @NT-R11.event
  Scenario Outline: An event <fault> is refused, and nothing is written
    When the operator sends POST /events with <event>
    Then it is refused as invalid
    And the answer names the field "<field>"
    And Cosmos DB was asked for 0 Create of "notification_events"

    Examples:
      | fault                     | event                                                                                                   | field          |
      | of an unknown type        | {"userId":"ana","eventType":"POST_HATE"}                                                                | body.eventType |
      | without a user            | {"eventType":"NEWS_SYSTEM_UPDATE"}                                                                      | body.userId    |
      | of a like without a post  | {"userId":"ana","eventType":"POST_LIKE","payload":{"actorName":"Bob"}}                                  | body.payload   |

  @NT-P1.once
  Scenario: An event that is enqueued again with the same key is answered as before, and nothing is written
    When "bob" likes a post of "ana" with the idempotency key "k1"
    Then the answer has no header "Idempotency-Replayed"
    Given the answer's "id" is called "first"
    When the same event is enqueued again
    Then the answer is 200
    And the answer's header "Idempotency-Replayed" is "true"
    And the answer's "id" is "{first}"

  @NT-P1.once
  Scenario: An event whose creation the store does not answer is there once
    Given the answer to the next Create of "notification_events" is lost
    When "bob" likes a post of "ana" with the idempotency key "k1"
    Then the answer is 200
    When Cosmos DB itself is asked of "notification_events" in the partition "ana":
      """
      SELECT * FROM c
      """
    Then it finds 1

  @NT-P1.race
  Scenario: Many requests with one key at once make one event
    When "bob" likes a post of "ana" with the idempotency key "k1", 6 times at once
    Then 1 of the answers is 201 and the others are 200

  @NT-P1.body
  Scenario: The refusal of a key that another event has names the key, and an empty key is refused
    Given "bob" likes a post of "ana" with the idempotency key "k1"
    When "eve" likes a post of "ana" with the idempotency key "k1"
    Then the answer is 422
    And the answer names the field "header.Idempotency-Key"
    When "eve" likes a post of "ana" with the idempotency key ""
    Then the answer is 422

  @NT-P2.round @NT-D3.round
  Scenario Outline: A round of <a worker> takes up 100 events, and the next one the others
    Given a change feed worker runs
    And 105 likes of posts of "ana"
    When <a worker> runs
    Then the worker found 100
    And the answer's "more" is "true"
    When <a worker> runs
    Then the worker found 5
    And the answer's "more" is "false"
    And 0 of the events are PENDING

    Examples:
      | a worker             |
      | a worker             |
      | a change feed worker |

  @NT-P2.round @NT-D3.round
  Scenario Outline: A round of <a worker> whose time is over begins with no other event, and the next one goes on
    Given a change feed worker runs
    And 3 likes of posts of "ana"
    And before the next Replace of "notification_events", 6 seconds pass
    When <a worker> runs
    Then the worker claimed 1
    And the answer's "more" is "true"
    When <a worker> runs
    Then the worker claimed 2
    And the answer's "more" is "false"

    Examples:
      | a worker             |
      | a worker             |
      | a change feed worker |

  @NT-D3.round
  Scenario: A round whose time is over when it has read the change feed takes up one event all the same
    Given a change feed worker runs
    And 3 likes of posts of "ana"
    And before the next ChangeFeed of "notification_events", 6 seconds pass
    When a change feed worker runs
    Then the worker claimed 1
    And the answer's "more" is "true"
    When a change feed worker runs
    Then the worker claimed 2
