Feature: What happens is told
  Services of the app enqueue events; workers make notifications of them, each once, whatever number of workers there is.

  Background:
    Given "ana" is never quiet

  @NT-P1.queued
  Scenario: An event waits for a worker
    When "bob" likes a post of "ana"
    Then it is created
    And the answer's "status" is "PENDING"
    And the answer's "category" is "SOCIAL"
    And the answer's "retryCount" is "0"

  @NT-P4.entry @NT-P4.completed @NT-R1.moves
  Scenario: A processed event is a notification, and completed
    Given "bob" likes a post of "ana"
    When a worker runs
    Then the event is COMPLETED
    And the answer's "processedAt" is "{now in milliseconds}"
    And "ana" has 1 notification
    And they are "bob liked your post"

  @NT-R1.once
  Scenario: Of many workers one dispatches an event
    Given "ana" has the phone "pixel"
    And "bob" likes a post of "ana"
    When 8 workers run at once
    Then the event is COMPLETED
    And "ana" has 1 notification
    And "pixel" received 1 pushes

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
    And a worker runs
    Then the event is DEDUPLICATED
    And "ana" has 1 notification

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
    When 2 hours pass
    And "bob" likes a post of "ana"
    And a worker runs
    Then the event is COMPLETED

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

  @NT-R5.category @NT-D10
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

  @NT-P1.once
  Scenario: An event that is enqueued again with the same key is the same event, and is told once
    When "bob" likes a post of "ana" with the idempotency key "k1"
    Then it is created
    Given the answer's "id" is called "first"
    When a worker runs
    And the same event is enqueued again
    Then the request succeeds
    And the answer's "id" is "{first}"
    And the answer's "status" is "COMPLETED"
    When a worker runs
    Then "ana" has 1 notification

  @NT-P1.body
  Scenario: The same key with another event is refused
    Given "bob" likes a post of "ana" with the idempotency key "k1"
    When "eve" likes a post of "ana" with the idempotency key "k1"
    Then it is refused as invalid
    When a worker runs
    Then "ana" has 1 notification
    And they are "bob liked your post"

  @NT-P1.user
  Scenario: A key of an event is of the user that it tells
    Given "bob" likes a post of "ana" with the idempotency key "k1"
    When "bob" likes a post of "ben" with the idempotency key "k1"
    Then it is created

  @NT-P1.kept @needs:move-time
  Scenario: A key is remembered for as long as its event is kept
    Given "bob" likes a post of "ana" with the idempotency key "k1"
    When 29 days pass
    And the same event is enqueued again
    Then the request succeeds
    When 2 days pass
    And "eve" likes a post of "ana" with the idempotency key "k1"
    Then it is created
