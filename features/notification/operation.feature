Feature: Operation
  Four containers as the document's Terraform describes them; users who go take everything along.

  @NT-R10.all @NT-R10.counted
  Scenario: A deletion removes everything of a user, says what it was, and nothing of others
    Given "ana" is never quiet
    And "ana" registers the device "phone"
    And "bob" registers the device "phone"
    And 3 likes of posts of "ana"
    And "ana" likes a post of "bob"
    And a worker runs
    When "ana" is deleted
    Then the request succeeds
    And the answer's "notification_events" is "3"
    And the answer's "notifications" is "3"
    And the answer's "notification_preferences" is "1"
    And the answer's "device_tokens" is "1"
    And "bob" has the devices "phone"
    And "bob" has 1 notification
