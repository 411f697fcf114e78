Feature: What happens is told
  Services of the app enqueue events; workers make notifications of them, each once, whatever number of workers there is.

  Background:
    Given "ana" is never quiet

  @NT-P1
  Scenario: An event waits for a worker
    When "bob" likes a post of "ana"
    Then the answer is 201
    And the answer's "status" is "PENDING"
    And the answer's "category" is "SOCIAL"
    And the answer's "retryCount" is "0"
    And Cosmos DB was asked for a Create of "notification_events" in the partition "ana"

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
  Scenario: A processed event is a notification, and completed
    Given "bob" likes a post of "ana"
    And what Cosmos DB was asked before is forgotten
    When a worker runs
    Then the event is COMPLETED
    And the answer's "processedAt" is "{now in milliseconds}"
    And "ana" has 1 notification
    And they are "bob liked your post"
    And Cosmos DB was asked for a Replace of "notification_events" in the partition "ana", only if unchanged

  @NT-R1.once
  Scenario: Of many workers one dispatches an event
    Given "ana" has the phone "pixel"
    And "bob" likes a post of "ana"
    When 8 workers run at once
    Then the event is COMPLETED
    And "ana" has 1 notification
    And "pixel" received 1 pushes

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

  @NT-R1.lease
  Scenario: A worker that dies when it has pushed leaves one notification, whoever goes on
    Given "ana" has the phone "pixel"
    And "bob" likes a post of "ana"
    And a worker dies when it has pushed
    When 5 minutes pass
    And a worker runs
    Then the event is COMPLETED
    And "ana" has 1 notification
    And "pixel" received 2 pushes

  @NT-R1.slow
  Scenario: A worker that is too slow leaves the event to the one that took it up after it
    Given "bob" likes a post of "ana"
    And before the next but one Replace of "notification_events", 6 minutes pass and another worker runs
    When a worker runs
    Then the worker completed 0
    And the event is COMPLETED
    And the answer's "retryCount" is "1"
    And "ana" has 1 notification

  @NT-R1.moves @NT-P2.done
  Scenario: What is completed is not taken up again
    Given "bob" likes a post of "ana"
    And a worker runs
    When a worker runs
    Then the worker found nothing
    And "ana" has 1 notification

  @NT-P2.due @NT-R2.retry @NT-R2.reason
  Scenario: A push that fails is tried again later, and why it failed is kept
    Given "ana" has the phone "pixel"
    And "bob" likes a post of "ana"
    And the push service is away
    When a worker runs
    Then the event is FAILED
    And the answer's "retryCount" is "0"
    And the answer's "lastError" is "the push service is away"
    When a worker runs
    Then the worker found nothing
    When the push service is back
    And 1 minute passes
    And a worker runs
    Then the event is COMPLETED
    And the answer's "retryCount" is "1"
    And "pixel" received "bob liked your post"
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

  @NT-R2.backoff @NT-R2.limit @NT-P2.done
  Scenario: Retries are further and further apart, and the sixth failure is final
    Given "ana" has the phone "pixel"
    And "bob" likes a post of "ana"
    And the push service is away
    When a worker runs every minute for 40 minutes
    Then a push was tried after 0, 1, 3, 7, 15, 31 minutes
    And the event is FAILED
    And the answer's "retryCount" is "5"
    And the answer's "nextRetryAt" is "null"
    When the push service is back
    And 1 day passes
    And a worker runs
    Then the worker found nothing
    And "pixel" received nothing
    And "ana" has 1 notification

  @NT-P3 @NT-R3.once
  Scenario: The same within the window is told once
    Given "bob" likes a post of "ana" under the key "p1-liked"
    And a worker runs
    When 10 minutes pass
    And "cleo" likes a post of "ana" under the key "p1-liked"
    And what Cosmos DB was asked before is forgotten
    And a worker runs
    Then the event is DEDUPLICATED
    And "ana" has 1 notification

  @NT-P3
  Scenario: Whether the same was told is asked of the user's own partition
    Given "bob" likes a post of "ana" under the key "p1-liked"
    When a worker runs
    Then the event is COMPLETED
    And Cosmos DB was asked of "notification_events" in the partition "ana":
      """
      SELECT * FROM c WHERE c.userId = 'ana' AND c.dedupeKey = 'p1-liked' AND c.createdAt >= '{an hour ago in milliseconds}'
      """

  @NT-D8
  Scenario: What comes under a key that was told is dropped, not added to what was told
    Given "bob" likes a post of "ana" under the key "p1-liked"
    And a worker runs
    And "cleo" likes a post of "ana" under the key "p1-liked"
    And a worker runs
    When "ana" reads her notifications
    Then they are "bob liked your post"
    And 1 of the events is DEDUPLICATED

  @NT-R3.window
  Scenario: After the window it is told again
    Given "bob" likes a post of "ana" under the key "p1-liked"
    And a worker runs
    When 61 minutes pass
    And "cleo" likes a post of "ana" under the key "p1-liked"
    And a worker runs
    Then the event is COMPLETED
    And "ana" has 2 notifications

  @NT-R3.window
  Scenario: A key that comes again and again is told once in each window
    Given "bob" likes a post of "ana" under the key "p1-liked"
    And a worker runs
    And 40 minutes pass
    And "cleo" likes a post of "ana" under the key "p1-liked"
    And a worker runs
    When 40 minutes pass
    And "dan" likes a post of "ana" under the key "p1-liked"
    And a worker runs
    Then the event is COMPLETED
    And "ana" has 2 notifications

  @NT-R3.once
  Scenario: An older one that arrives after a newer one was told is a duplicate
    Given "cleo" likes a post of "ana" under the key "p1-liked"
    And a worker runs
    When an older like of a post of "ana" under the key "p1-liked" arrives
    And a worker runs
    Then the event is DEDUPLICATED
    And "ana" has 1 notification

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

  @NT-R3.race
  Scenario: However many come at once, and however many workers there are, one is told
    Given 12 likes of posts of "ana" under the key "p1-liked" come at once
    When 6 workers run at once
    And a worker runs
    Then 1 of the events is COMPLETED
    And 11 of the events are DEDUPLICATED
    And "ana" has 1 notification

  @NT-P7.window @NT-R4.limit
  Scenario: Over the rate of its category nothing more is told
    Given 22 likes of posts of "ana"
    When a worker runs
    Then 20 of the events are COMPLETED
    And 2 of the events are RATE_LIMITED
    And "ana" has 20 notifications
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

  @NT-P7.category @NT-R4.category
  Scenario: The rate of one category leaves the others alone
    Given NEWS_SYSTEM_UPDATE happens to "ana"
    And NEWS_SYSTEM_UPDATE happens to "ana"
    And a worker runs
    When MARKETING_PROMOTION happens to "ana"
    And a worker runs
    Then the event is COMPLETED
    When MARKETING_PROMOTION happens to "ana"
    And MARKETING_PROMOTION happens to "ana"
    And a worker runs
    Then 1 of the events is RATE_LIMITED
    And "ana" has 4 notifications

  @NT-R4.race
  Scenario: Of many workers at once none goes over the rate
    Given 24 likes of posts of "ana"
    When 6 workers run at once
    And a worker runs
    Then 20 of the events are COMPLETED
    And 4 of the events are RATE_LIMITED
    And "ana" has 20 notifications

  @NT-R5.category
  Scenario Outline: <type> is told as <category>
    When <type> happens to "ana" with <payload>
    Then the answer's "category" is "<category>"
    When a worker runs
    And "ana" reads her notifications
    Then the answer's "notifications.0.title" is "<title>"
    And the answer's "notifications.0.body" is "<body>"
    And the answer's "notifications.0.deeplink" is "<link>"

    Examples:
      | type                      | payload                                                                        | category  | title            | body                                            | link               |
      | POST_LIKE                 | {"actorId":"bob","actorName":"Bob","targetId":"p1","targetType":"post"}        | SOCIAL    | New like         | Bob liked your post                             | asora://post/p1    |
      | POST_COMMENT              | {"actorName":"Bob","targetId":"p1","targetType":"post"}                        | SOCIAL    | New comment      | Bob commented on your post                      | asora://post/p1    |
      | POST_SHARE                | {"actorName":"Bob","targetId":"p1","targetType":"post"}                        | SOCIAL    | New share        | Bob shared your post                            | asora://post/p1    |
      | COMMENT_REPLY             | {"actorName":"Bob","targetId":"c7","targetType":"comment"}                     | SOCIAL    | New reply        | Bob replied to your comment                     | asora://comment/c7 |
      | FOLLOWER_NEW              | {"actorId":"bob","actorName":"Bob","targetId":"ana","targetType":"user"}       | SOCIAL    | New follower     | Bob started following you                       | asora://user/bob   |
      | SAFETY_CONTENT_FLAGGED    | {"targetId":"p1","targetType":"post"}                                          | SAFETY    | Content flagged  | Your post was flagged and is under review       | asora://post/p1    |
      | SAFETY_ACCOUNT_WARNING    | {}                                                                             | SAFETY    | Account warning  | Your account received a warning                 | asora://user/ana   |
      | SECURITY_NEW_DEVICE       | {}                                                                             | SECURITY  | New sign-in      | Your account was used on a new device           | asora://user/ana   |
      | SECURITY_PASSWORD_CHANGED | {}                                                                             | SECURITY  | Password changed | Your password was changed                       | asora://user/ana   |
      | SECURITY_ACCOUNT_LOCKED   | {}                                                                             | SECURITY  | Account locked   | Your account was locked                         | asora://user/ana   |
      | NEWS_SYSTEM_UPDATE        | {}                                                                             | NEWS      | What is new      | There is news about the app                     | asora://user/ana   |
      | MARKETING_PROMOTION       | {"targetId":"p9","targetType":"post"}                                          | MARKETING | For you          | There is something new for you                  | asora://post/p9    |

  @NT-R5.text
  Scenario Outline: What was written is quoted, and who is not named is someone: <case>
    When POST_COMMENT happens to "ana" with <payload>
    And a worker runs
    And "ana" reads her notifications
    Then they are "<body>"

    Examples:
      | case         | payload                                                                                  | body                                        |
      | a quotation  | {"actorName":"Bob","targetId":"p1","targetType":"post","snippet":"Nice\\n  one"}          | Bob commented on your post: “Nice one”      |
      | no name      | {"targetId":"p1","targetType":"post"}                                                    | Someone commented on your post              |
      | a profile    | {"actorName":"Bob","targetId":"ana","targetType":"user"}                                 | Bob commented on your profile               |

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
