Feature: Operation, on the wire
  What the service asks of its store for this, what the store holds then, and what HTTP answers.

  @NT-O1 @NT-D9
  Scenario: The containers are as the document describes them
    When the containers are read back
    Then they are as the document describes them
    And the containers are:
      | container                | partition key | lifetime | mode       | indexed | not indexed | RU/s |
      | notification_events      | /userId       | 2592000  | consistent | /*      | /"_etag"/?  | 400  |
      | notifications            | /userId       | 2592000  | consistent | /*      | /"_etag"/?  | 400  |
      | notification_preferences | /userId       | for ever | consistent | /*      | /"_etag"/?  | 400  |
      | device_tokens            | /userId       | for ever | consistent | /*      | /"_etag"/?  | 400  |

  @NT-O2
  Scenario: Autoscale from 1,000 to 10,000 RU/s
    When the containers are made anew with autoscale up to 10000 RU/s
    Then "notification_events" scales from 1000 up to 10000 RU/s
    And "notifications" scales from 1000 up to 10000 RU/s

  @NT-D6
  Scenario Outline: The portal's 400-4000 and the planning's 1000-10000 are both settings; autoscale up to <most> RU/s is <answer>
    Then a container with autoscale up to <most> RU/s is <answer>

    Examples:
      | most  | answer   |
      | 4000  | accepted |
      | 10000 | accepted |
      | 1000  | accepted |
      | 900   | refused  |
      | 4500  | refused  |

  @NT-R10.all @NT-R10.counted
  Scenario: A deletion removes everything of a user, says what it was, and nothing of others, on the wire
    Given "ana" is never quiet
    And "ana" registers the device "phone"
    And "bob" registers the device "phone"
    And 3 likes of posts of "ana"
    And "ana" likes a post of "bob"
    And a worker runs
    When "ana" is deleted
    Then 0 documents of "ana" are in "notification_events"
    And 0 documents of "ana" are in "notifications"
    And 0 documents of "ana" are in "notification_preferences"
    And 0 documents of "ana" are in "device_tokens"
    And "bob" has the devices "phone"
    And "bob" has 1 notification

  @NT-R10.resumed
  Scenario: A deletion whose answer was lost goes on when it is asked for again
    Given 5 likes of posts of "ana"
    And "ana" registers the device "phone"
    And the answer to the next Batch of "notification_events" is lost
    When "ana" is deleted
    And "ana" is deleted
    Then the answer is 200
    And 0 documents of "ana" are in "notification_events"
    And 0 documents of "ana" are in "device_tokens"

  @NT-R10.resumed
  Scenario: A deletion that fails on its way goes on when it is asked for again
    Given "ana" is never quiet
    And 2 likes of posts of "ana"
    And "ana" registers the device "phone"
    And Cosmos DB does not answer the next 10 Query of "device_tokens"
    When "ana" is deleted
    Then the answer is 503
    And 0 documents of "ana" are in "notification_events"
    And 1 document of "ana" is in "device_tokens"
    When "ana" is deleted
    Then the answer is 200
    And the answer's "device_tokens" is "1"
    And no document of "ana" is left

  @NT-R10.late @NT-R10.counted
  Scenario: What comes while a deletion is on its way goes too
    Given "ana" is never quiet
    And 2 likes of posts of "ana"
    And before the next Query of "device_tokens", "bob" likes a post of "ana"
    When "ana" is deleted
    Then the answer is 200
    And the answer's "notification_events" is "3"
    And no document of "ana" is left

  @NT-R10.worker
  Scenario: A worker that has an event of a deleted user takes back what it wrote
    Given "ana" is never quiet
    And "bob" likes a post of "ana" under the key "p1-liked"
    And before the next Batch of "notifications", "ana" is deleted
    When a worker runs
    Then no document of "ana" is left

  @NT-R10.operator
  Scenario: Only the operator deletes a user
    When "ana" sends DELETE /users/bob
    Then the answer is 401
