Feature: Events become notifications
  Services of the app enqueue events. Workers turn each event into one notification, however many workers there are.

  Background:
    Given "ana" has no quiet hours

  @NT-P1.queued
  Scenario: An event waits for a worker
    When "bob" likes a post of "ana"
    Then it is created
    And the response's "status" is "PENDING"
    And the response's "category" is "SOCIAL"
    And the response's "retryCount" is "0"

  @NT-P4.entry @NT-P4.completed @NT-R1.moves
  Scenario: A processed event is completed and becomes a notification
    Given "bob" likes a post of "ana"
    When a worker runs
    Then the event is COMPLETED
    And the response's "processedAt" is "{now in milliseconds}"
    And "ana" has 1 notification
    And they are "bob liked your post"

  @NT-R1.once
  Scenario: One of many workers dispatches an event
    Given "ana" has the phone "pixel"
    And "bob" likes a post of "ana"
    When 8 workers run at once
    Then the event is COMPLETED
    And "ana" has 1 notification
    And "pixel" received 1 push

  @NT-R1.lease
  Scenario: A worker that dies after pushing leaves only one notification
    Given "ana" has the phone "pixel"
    And "bob" likes a post of "ana"
    And a worker dies after pushing
    When 5 minutes pass
    And a worker runs
    Then the event is COMPLETED
    And "ana" has 1 notification
    And "pixel" received 2 pushes

  @NT-R1.moves @NT-P2.done
  Scenario: A completed event is not processed again
    Given "bob" likes a post of "ana"
    And a worker runs
    When a worker runs
    Then the worker found nothing
    And "ana" has 1 notification

  @NT-P2.due @NT-R2.retry @NT-R2.reason
  Scenario: A failed push is retried later, and the reason is recorded
    Given "ana" has the phone "pixel"
    And "bob" likes a post of "ana"
    And the push service is unavailable
    When a worker runs
    Then the event is FAILED
    And the response's "retryCount" is "0"
    And the response's "lastError" is "the push service is away"
    When a worker runs
    Then the worker found nothing
    When the push service is available again
    And 1 minute passes
    And a worker runs
    Then the event is COMPLETED
    And the response's "retryCount" is "1"
    And "pixel" received "bob liked your post"
    And "ana" has 1 notification

  @NT-R2.backoff @NT-R2.limit @NT-P2.done
  Scenario: Retries back off, and the sixth failure is final
    Given "ana" has the phone "pixel"
    And "bob" likes a post of "ana"
    And the push service is unavailable
    When a worker runs every minute for 40 minutes
    Then pushes were attempted after 0, 1, 3, 7, 15, 31 minutes
    And the event is FAILED
    And the response's "retryCount" is "5"
    And the response's "nextRetryAt" is "null"
    When the push service is available again
    And 1 day passes
    And a worker runs
    Then the worker found nothing
    And "pixel" received nothing
    And "ana" has 1 notification

  @NT-P3 @NT-R3.once
  Scenario: Events with the same deduplication key within the window give one notification
    Given "bob" likes a post of "ana" with the deduplication key "p1-liked"
    And a worker runs
    When 10 minutes pass
    And "cleo" likes a post of "ana" with the deduplication key "p1-liked"
    And a worker runs
    Then the event is DEDUPLICATED
    And "ana" has 1 notification

  @NT-D8
  Scenario: A duplicate event is dropped, not merged into the notification
    Given "bob" likes a post of "ana" with the deduplication key "p1-liked"
    And a worker runs
    And "cleo" likes a post of "ana" with the deduplication key "p1-liked"
    And a worker runs
    When "ana" lists her notifications
    Then they are "bob liked your post"
    And 1 of the events is DEDUPLICATED

  @NT-R3.window
  Scenario: After the window, the same deduplication key gives another notification
    Given "bob" likes a post of "ana" with the deduplication key "p1-liked"
    And a worker runs
    When 61 minutes pass
    And "cleo" likes a post of "ana" with the deduplication key "p1-liked"
    And a worker runs
    Then the event is COMPLETED
    And "ana" has 2 notifications

  @NT-R3.window
  Scenario: A recurring deduplication key gives one notification per window
    Given "bob" likes a post of "ana" with the deduplication key "p1-liked"
    And a worker runs
    And 40 minutes pass
    And "cleo" likes a post of "ana" with the deduplication key "p1-liked"
    And a worker runs
    When 40 minutes pass
    And "dan" likes a post of "ana" with the deduplication key "p1-liked"
    And a worker runs
    Then the event is COMPLETED
    And "ana" has 2 notifications

  @NT-R3.once
  Scenario: An older event that arrives after a newer one is a duplicate
    Given "cleo" likes a post of "ana" with the deduplication key "p1-liked"
    And a worker runs
    When an older like of a post of "ana" with the deduplication key "p1-liked" arrives
    And a worker runs
    Then the event is DEDUPLICATED
    And "ana" has 1 notification

  @NT-R3.once @NT-R7.switch
  Scenario: An event of a category that was off makes none after it a duplicate
    Given "ana" switches social off
    And "bob" likes a post of "ana" with the deduplication key "p1-liked"
    And a worker runs
    When 10 minutes pass
    And "ana" switches social on
    And "cleo" likes a post of "ana" with the deduplication key "p1-liked"
    And a worker runs
    Then the event is COMPLETED
    And "ana" has 1 notification

  @NT-R3.race
  Scenario: Of many simultaneous duplicates, one becomes a notification, whatever the number of workers
    Given 12 likes of posts of "ana" with the deduplication key "p1-liked" come at once
    When 6 workers run at once
    And a worker runs
    Then 1 of the events is COMPLETED
    And 11 of the events are DEDUPLICATED
    And "ana" has 1 notification

  @NT-P7.window @NT-R4.limit
  Scenario: Events above the rate limit of their category are dropped
    Given 22 likes of posts of "ana"
    When a worker runs
    Then 20 of the events are COMPLETED
    And 2 of the events are RATE_LIMITED
    And "ana" has 20 notifications
    When 2 hours pass
    And "bob" likes a post of "ana"
    And a worker runs
    Then the event is COMPLETED

  @NT-P7.category @NT-R4.category
  Scenario: The rate limit of one category does not affect the others
    Given NEWS_SYSTEM_UPDATE occurs for "ana"
    And NEWS_SYSTEM_UPDATE occurs for "ana"
    And a worker runs
    When MARKETING_PROMOTION occurs for "ana"
    And a worker runs
    Then the event is COMPLETED
    When MARKETING_PROMOTION occurs for "ana"
    And MARKETING_PROMOTION occurs for "ana"
    And a worker runs
    Then 1 of the events is RATE_LIMITED
    And "ana" has 4 notifications

  @NT-R4.race
  Scenario: Many simultaneous workers keep the rate limit together
    Given 24 likes of posts of "ana"
    When 6 workers run at once
    And a worker runs
    Then 20 of the events are COMPLETED
    And 4 of the events are RATE_LIMITED
    And "ana" has 20 notifications

  @NT-R5.category @NT-D10
  Scenario Outline: <type> becomes a notification of <category>
    When <type> occurs for "ana" with <payload>
    Then the response's "category" is "<category>"
    When a worker runs
    And "ana" lists her notifications
    Then the response's "notifications.0.title" is "<title>"
    And the response's "notifications.0.body" is "<body>"
    And the response's "notifications.0.deeplink" is "<link>"

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
  Scenario Outline: A notification quotes the text and names the actor, or "Someone": <case>
    When POST_COMMENT occurs for "ana" with <payload>
    And a worker runs
    And "ana" lists her notifications
    Then they are "<body>"

    Examples:
      | case         | payload                                                                                  | body                                        |
      | a quotation  | {"actorName":"Bob","targetId":"p1","targetType":"post","snippet":"Nice\\n  one"}          | Bob commented on your post: “Nice one”      |
      | no name      | {"targetId":"p1","targetType":"post"}                                                    | Someone commented on your post              |
      | a profile    | {"actorName":"Bob","targetId":"ana","targetType":"user"}                                 | Bob commented on your profile               |

  @NT-P1.once
  Scenario: An event that is enqueued again with the same idempotency key gives one notification
    When "bob" likes a post of "ana" with the idempotency key "k1"
    Then it is created
    Given the response's "id" is saved as "first"
    When a worker runs
    And the same event is enqueued again
    Then the request succeeds
    And the response's "id" is "{first}"
    And the response's "status" is "COMPLETED"
    When a worker runs
    Then "ana" has 1 notification

  @NT-P1.body
  Scenario: The same idempotency key with another event is refused
    Given "bob" likes a post of "ana" with the idempotency key "k1"
    When "eve" likes a post of "ana" with the idempotency key "k1"
    Then it is refused as invalid
    When a worker runs
    Then "ana" has 1 notification
    And they are "bob liked your post"

  @NT-P1.user
  Scenario: The idempotency key of an event belongs to its recipient
    Given "bob" likes a post of "ana" with the idempotency key "k1"
    When "bob" likes a post of "ben" with the idempotency key "k1"
    Then it is created

  @NT-P1.kept @needs:move-time
  Scenario: An idempotency key is remembered as long as its event is stored
    Given "bob" likes a post of "ana" with the idempotency key "k1"
    When 29 days pass
    And the same event is enqueued again
    Then the request succeeds
    When 2 days pass
    And "eve" likes a post of "ana" with the idempotency key "k1"
    Then it is created
