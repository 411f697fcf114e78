Feature: Operation, on the wire
  The requests that the service sends to its store, the items that the store then holds, and the HTTP responses.

  @NT-O1 @NT-D9
  Scenario: The containers have the documented settings
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
    When the containers are recreated with autoscale up to 10000 RU/s
    Then "notification_events" scales from 1000 up to 10000 RU/s
    And "notifications" scales from 1000 up to 10000 RU/s

  @NT-D6
  Scenario Outline: Autoscale up to <most> RU/s is <answer>
    Then a container with autoscale up to <most> RU/s is <answer>

    Examples:
      | most  | answer   |
      | 4000  | accepted |
      | 10000 | accepted |
      | 1000  | accepted |
      | 900   | refused  |
      | 4500  | refused  |

  @NT-R10.all @NT-R10.counted
  Scenario: Deleting a user removes and counts all their data, and nobody else's, on the wire
    Given "ana" has no quiet hours
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

  @NT-R10.all
  Scenario: A deletion is completed although the store's response to a batch is lost
    Given 5 likes of posts of "ana"
    And "ana" registers the device "phone"
    And the response to the next Batch of "notification_events" is lost
    When "ana" is deleted
    Then the response is 200
    And 0 documents of "ana" are in "notification_events"
    And 0 documents of "ana" are in "device_tokens"

  @NT-R10.resumed
  Scenario: A deletion that failed halfway is completed by another request
    Given "ana" has no quiet hours
    And 2 likes of posts of "ana"
    And "ana" registers the device "phone"
    And Cosmos DB does not respond to the next 10 Query requests of "device_tokens"
    When "ana" is deleted
    Then the response is 503
    And 0 documents of "ana" are in "notification_events"
    And 1 document of "ana" is in "device_tokens"
    When "ana" is deleted
    Then the response is 200
    And the response's "device_tokens" is "1"
    And no document of "ana" is left

  @NT-R10.late @NT-R10.counted
  Scenario: Data that is added during a deletion is deleted too
    Given "ana" has no quiet hours
    And 2 likes of posts of "ana"
    And before the next Query of "device_tokens", "bob" likes a post of "ana"
    When "ana" is deleted
    Then the response is 200
    And the response's "notification_events" is "3"
    And no document of "ana" is left

  @NT-R10.worker
  Scenario: A worker with an event of a deleted user removes what it wrote
    Given "ana" has no quiet hours
    And "bob" likes a post of "ana" with the deduplication key "p1-liked"
    And before the next Batch of "notifications", "ana" is deleted
    When a worker runs
    Then no document of "ana" is left

  @NT-R10.operator
  Scenario: Only the operator can delete a user
    When "ana" sends DELETE /users/bob
    Then the response is 401
